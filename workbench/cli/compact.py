"""Run a compaction: every stage with its decision, the result, and, with -o, a session that resumes."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..answering import answerer
from ..compaction.ground import Ground
from ..compaction.plan import Plan
from ..compaction.request import SUMMARY, Reply, Request
from ..compaction.run import COMPACTED, Run, forward, start
from ..compaction.settings import Settings
from ..compaction.variants import FROM, UP_TO, VARIANTS, default_trigger, switched_on
from ..conversation.tokens import ROUGH
from ..errors import UsageError
from ..evidence.expected import expected_after, measured_by
from ..storage import Fingerprint, MemoryFile, SessionFile, open_session, read_index, read_text, write_atomically
from ..summarizers import CLAUDE, Summarizer, read_choice
from ..transcript.session import Session
from . import output
from .estimating import estimators
from .grounds import ground_of
from .options import add_common, chain_of, settings_of
from .telling_compact import Also, as_json, as_text, request_json, request_text, requests_of

HELP = "run a compaction, stage by stage"
HOOKS = ("pre", "session-start", "post", "pre-blocked")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    add_run_options(parser)
    parser.add_argument("--steps", action="store_true", help="tell every stage with its numbers and changes")
    parser.add_argument("--show-request", action="store_true", help="print the summary request instead of the result")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write a session that resumes, never over the input; -: to standard output, and nothing else",
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options that make a run, shared with export."""
    parser.add_argument("--variant", choices=tuple(VARIANTS), default="auto", help="default: %(default)s")
    parser.add_argument("--trigger", choices=("auto", "manual"), help="default: auto for auto and reactive, else manual")
    parser.add_argument("--at", type=int, metavar="LINE", help="the state right before this physical line (default: the end)")
    parser.add_argument("--pivot", metavar="UUID|LINE", help="for from and up-to: the row they cut at")
    parser.add_argument("--error", default="", metavar="TEXT", help="for reactive: the API's answer")
    parser.add_argument("--fold", nargs="+", default=[], metavar="LINE-LINE", help="for fold: which rows")
    parser.add_argument("--instructions", default="", metavar="TEXT", help="custom instructions")
    parser.add_argument("--keep", nargs="+", default=[], metavar="UUID", help="rows that must stay")
    parser.add_argument("--notes", metavar="PATH", help="notes to compact from (default: the session's own)")
    parser.add_argument(
        "--summarizer", default="offline", metavar="NAME", help="offline, recorded, file:PATH, command:CMD, claude"
    )
    parser.add_argument("--model", metavar="ID", help="for claude: default the session's")
    parser.add_argument(
        "--hook",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="text of a hook: pre, session-start, post; pre-blocked: the reason with which the PreCompact hook blocks",
    )
    parser.add_argument("--files", choices=("transcript", "disk"), default="transcript", help="where file contents come from")
    parser.add_argument("--preset", metavar="NAME", help="a version preset by name, or a version")


def run(options: argparse.Namespace) -> int:
    reader = open_session(options.path)
    since = reader.fingerprint()
    session = read_index(reader)
    done = run_of(session, options)
    if options.output and done.outcome == COMPACTED:  # before anything is printed: what cannot be written is the only answer
        write_run(reader, session, done, options.output, since)
    elif options.output:
        output.complain(f"Nothing was written: {done.outcome}. {done.reason}")
    if options.output != "-":
        _tell(session, done, options)
    return 0 if done.outcome == COMPACTED else 1


def _tell(session: Session, done: Run, options: argparse.Namespace) -> None:
    if options.show_request:
        _show_requests(done, options)
        return
    expected = expected_after(session, done.ground, done.work.sent) if done.outcome == COMPACTED else None
    also = by_estimator(session, done, options)
    if options.json:
        output.write_json(as_json(done, expected, also))
    else:
        output.write_lines(as_text(done, steps=options.steps, expected=expected, also=also))


def by_estimator(session: Session, done: Run, options: argparse.Namespace) -> Also | None:
    """What the result comes to by the estimator that was asked for; the run itself decides by bytes/4, as the agent does."""
    if options.estimator == ROUGH.name:
        return None
    chain = chain_of(session, options) if options.at is None else session.chain_at(options.at)
    with estimators(options.estimator) as by:
        return Also(options.estimator, *measured_by(session, chain, done.work.sent, by(session)))


def write_run(reader: SessionFile | MemoryFile, session: Session, done: Run, out: str, since: Fingerprint) -> None:
    """Writes the compacted session to a file or, for -, to standard output; refuses when the input changed meanwhile."""
    from ..export.session import compacted_session

    content = compacted_session(session, done)
    reader.check_unchanged(since)
    if out == "-":
        output.write_bytes(content)
    else:
        write_atomically(Path(out), content, never=reader.path)


def run_of(session: Session, options: argparse.Namespace) -> Run:
    """The finished run that the options ask for. Raises UsageError where they do not fit the session."""
    settings = switched_on(options.variant, settings_of(session, options))
    ground = ground_of(session, settings, line=options.at, leaf=options.leaf, notes=options.notes, hooks=_hooks(options.hook))
    plan = plan_for(session, ground, options, settings)
    ask = answerer(session, options.summarizer, line=options.at, variant=options.variant, model=options.model or ground.model)
    return forward(start(ground, plan), told(ask, options))


def told(ask: Summarizer, options: argparse.Namespace) -> Summarizer:
    """Asking a model says what it would cost before, and what came of it after, on stderr; outcomes are remembered."""
    if read_choice(options.summarizer).name != CLAUDE:
        return ask

    def asked(request: Request) -> Reply:
        from ..summarizers.costs import estimate_cost
        from ..summarizers.outcome_log import remember
        from ..summarizers.outcomes import asked as record

        model = options.model or request.model
        if request.kind == SUMMARY:
            output.complain(estimate_cost(request, model).sentence)
        reply = ask(request)
        if request.kind == SUMMARY:
            remember(record(model, reply))
            output.complain(f"{reply.outcome}: {reply.error or f'{len(reply.text):,} characters'}")
        return reply

    return asked


def _hooks(given: Sequence[str]) -> dict[str, str]:
    hooks = {}
    for pair in given:
        name, equals, path = pair.partition("=")
        if not equals or name not in HOOKS:
            raise UsageError(f"Write a hook as NAME=FILE, not {pair!r}; NAME is one of {', '.join(HOOKS)}.")
        hooks[name] = read_text(Path(path))
    return hooks


def plan_for(session: Session, ground: Ground, options: argparse.Namespace, settings: Settings) -> Plan:
    """The plan that the options ask for."""
    if options.variant in (FROM, UP_TO) and not options.pivot:
        raise UsageError(f"The variant {options.variant} needs --pivot: the uuid or line of the row it cuts at.")
    return Plan(
        settings,
        options.variant,
        options.trigger or default_trigger(options.variant),
        pivot=uuid_of(session, options.pivot) if options.pivot else None,
        instructions=options.instructions,
        pins=tuple(uuid_of(session, name) for name in options.keep),
        error=options.error or "prompt is too long",
        folds=tuple(_fold(ground, text) for text in options.fold),
        summarizer=options.summarizer,
        files=options.files,
    )


def uuid_of(session: Session, name: str) -> str:
    """The uuid of a row by its uuid or its physical line."""
    if not name.isdigit():
        return name
    if session.is_request:
        raise UsageError(f"A Messages API request has no lines; name the row message:N instead of {name}, from 0 on.")
    place = session.place_of_line(int(name))
    uuid = session.index.uuids[place] if place < len(session.index) and session.index.lines[place] == int(name) else None
    if uuid is None:
        raise UsageError(f"Line {name} holds no row with a uuid.")
    return uuid


def _fold(ground: Ground, text: str) -> tuple[str, str]:
    """The first and last row of the array in the lines LINE-LINE."""
    first, dash, last = text.partition("-")
    if not (dash and first.isdigit() and last.isdigit()):
        raise UsageError(f"Write rows to fold as LINE-LINE, not {text!r}.")
    inside = [row.uuid for row in ground.rows if row.line is not None and int(first) <= row.line <= int(last)]
    if not inside:
        raise UsageError(f"No row of the array stands in the lines {text}.")
    return inside[0], inside[-1]


def _show_requests(done: Run, options: argparse.Namespace) -> None:
    """One JSON object, or each request in words."""
    found = requests_of(done)
    if options.json:
        output.write_json({"requests": [request_json(r) for r in found]})
        return
    if not found:
        output.complain(f"No summary request was made: {done.reason}")
    for request in found:
        output.write_lines(request_text(request))
