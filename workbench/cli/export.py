"""Write out what the agent would send, as Messages API JSON, a compacted session that resumes, or a report as HTML."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..compaction.run import COMPACTED
from ..conversation.row import Message
from ..conversation.wording import counted
from ..errors import UsageError
from ..export.messages import as_request, messages_to_send, refusals_of
from ..storage import Fingerprint, MemoryFile, SessionFile, open_session, read_index, write_atomically
from ..transcript.session import Session
from . import output
from .compact import add_run_options, run_of, write_run
from .options import add_common, chain_of

HELP = "write out the messages the agent would send, a compacted session, or a report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--as", dest="form", choices=("messages", "session", "report"), required=True, help="the form to write")
    add_run_options(parser)
    parser.add_argument(
        "--recorded", choices=("use", "ignore"), default="use", help="a recorded request is the answer; default: %(default)s"
    )
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write, - for standard output")


def run(options: argparse.Namespace) -> int:
    reader = open_session(options.path)
    since = reader.fingerprint()
    session = read_index(reader)
    if options.at is not None and options.leaf:
        raise UsageError("--at and --leaf exclude each other: the state before a line has one branch.")
    if options.form == "session":
        return _session(reader, session, since, options)
    if options.form == "report":
        return _report(reader, session, since, options)
    refuse_run_options(options)
    messages = export_messages(session, options)
    value = as_request(messages, session)
    data = output.json_bytes(value, indent=None if options.json else 1)
    if options.output == "-":
        output.write_bytes(data + b"\n")
    else:
        write_atomically(Path(options.output), data + b"\n", never=getattr(session.reader, "path", None))
    for sentence in _warnings(messages, session, options):
        output.complain(sentence)
    return 0


def refuse_run_options(options: argparse.Namespace) -> None:
    """Raises UsageError where an option of a compaction is given: the messages are those of the session as it stands."""
    known = argparse.ArgumentParser(add_help=False)
    add_run_options(known)
    given = [name for name, value in vars(known.parse_args([])).items() if name != "at" and getattr(options, name) != value]
    if given:
        names = ", ".join(f"--{name}" for name in given)
        raise UsageError(f"--as messages runs no compaction and takes no {names}; write it out with --as session.")


def _warnings(messages: Sequence[Message], session: Session, options: argparse.Namespace) -> Iterator[str]:
    """At most one sentence: why there is nothing in the array, or why the API would refuse it."""
    if not messages:
        where = "in this session" if options.at is None else f"before line {options.at}"
        yield f"There is no message {where}, so the array is empty and the API would refuse it."
        return
    refused = refusals_of(messages)
    if refused:
        first, more = refused[0], len(refused) - 1
        whose = "This array" if session.is_request else "The agent sends this array as it is, but it"
        others = f", and {counted(more, 'more fault')}" if more else ""
        yield f"{whose} may be refused: {first.sentence.rstrip('.')} ({first.api_error}){others}."


def _session(reader: SessionFile | MemoryFile, session: Session, since: Fingerprint, options: argparse.Namespace) -> int:
    """A run with the options of compact, written out; 1 when it did not compact."""
    done = run_of(session, options)
    if done.outcome != COMPACTED:
        output.complain(f"Nothing was written: {done.outcome}. {done.reason}")
        return 1
    write_run(reader, session, done, options.output, since)
    return 0


def _report(reader: SessionFile | MemoryFile, session: Session, since: Fingerprint, options: argparse.Namespace) -> int:
    """The page about the session and a run with the options of compact, whatever became of that."""
    from .reporting import report_of

    done = run_of(session, options)
    if done.outcome != COMPACTED:
        output.complain(f"The report is of a run that is {done.outcome}: {done.reason}")
    content = report_of(session, done)
    reader.check_unchanged(since)
    if options.output == "-":
        output.write_bytes(content)
    else:
        write_atomically(Path(options.output), content, never=reader.path)
    return 0


def export_messages(session: Session, options: argparse.Namespace) -> tuple[Message, ...]:
    """The recorded request where there is one (and it is wanted), else our own assembly with the agent's repairs."""
    if options.at is not None:
        recorded = session.recorded_at(options.at) if options.recorded == "use" else None
        if recorded is not None:
            return recorded
        return messages_to_send(session, session.chain_at(options.at))
    return messages_to_send(session, chain_of(session, options))
