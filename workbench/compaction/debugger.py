"""A run as a debugger sees it: next, back, on to a breakpoint. Breakpoints are values, and looking back computes nothing.

    step, rewind          of `run`: one stage further, one back
    proceed(run)          stage after stage, until it is over, wants something from outside, or a breakpoint holds
    advance(run, n, ask)  `proceed` with somebody who answers
    edited(run, text)     the summary in the user's words; forgets what used the old one and nothing else

Every function is pure: whoever answers a question or shows a run stands elsewhere.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches

from ..errors import UsageError
from .plan import Plan
from .request import Reply, Request
from .run import Run, answer, following, rewind, step
from .stages.ask import NAME as ASK
from .stages.ask import summary_request
from .stages.clean_reply import EDITED
from .stages.table import STAGES

STAGE, AT_MOST, AT_LEAST, FAULT = "stage", "at most", "at least", "fault"

_TOKENS = re.compile(r"tokens\s*(<=|>=|≤|≥)\s*(\d[\d,_]*)")
_SIGNS = {"<=": AT_MOST, "≤": AT_MOST, ">=": AT_LEAST, "≥": AT_LEAST}


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where a run stops by itself.

    kind    "stage": before that stage; "at most", "at least": behind the stage whose result comes to so many tokens;
            "fault": behind a stage whose result has a fault that the input had not
    """

    kind: str
    stage: str = ""
    tokens: int = 0

    @property
    def word(self) -> str:
        """As a plan holds it: `ask`, `tokens<=20000`, `fault`."""
        if self.kind == STAGE:
            return self.stage
        return FAULT if self.kind == FAULT else f"tokens{'<=' if self.kind == AT_MOST else '>='}{self.tokens}"

    @property
    def words(self) -> str:
        """For people."""
        if self.kind == STAGE:
            return STAGES[self.stage].title
        return "any fault" if self.kind == FAULT else f"tokens {'≤' if self.kind == AT_MOST else '≥'} {self.tokens:,}"


def breakpoint_of(word: str) -> Breakpoint:
    """A breakpoint as it is written: a stage's name, `tokens<=N`, `tokens>=N`, or `fault`. Raises UsageError naming these."""
    text = word.strip().lower()
    found = _TOKENS.fullmatch(text)
    if found is not None and (tokens := int(re.sub(r"[,_]", "", found[2]))) > 0:
        return Breakpoint(_SIGNS[found[1]], tokens=tokens)
    if text in (FAULT, "any fault", "faults"):
        return Breakpoint(FAULT)
    name = next((s.name for s in STAGES.values() if text in (s.name, s.title.lower())), None)
    if name is None:
        near = get_close_matches(text, STAGES, n=1, cutoff=0.0)[0]
        raise UsageError(f"{word!r} is no breakpoint: write a stage ({near}, …), tokens<=N, tokens>=N, or fault.")
    return Breakpoint(STAGE, name)


def breakpoints(plan: Plan) -> tuple[Breakpoint, ...]:
    """The breakpoints of a plan: those at stages in the order of the stages, then the others."""
    order = {name: at for at, name in enumerate(STAGES)}
    return tuple(sorted(map(breakpoint_of, plan.breakpoints), key=lambda b: (order.get(b.stage, len(order)), b.word)))


def toggled(run: Run, point: Breakpoint) -> Run:
    """The run with a breakpoint set, or taken off where it was set; no result depends on it."""
    return replace(run, plan=replace(run.plan, breakpoints=run.plan.breakpoints ^ {point.word}))


def halted(run: Run) -> str:
    """Which breakpoint holds right behind the newest result, in a sentence; "" when none does."""
    upcoming = following(run)
    return next((words for b in breakpoints(run.plan) if (words := _why(run, b, upcoming))), "")


def proceed(run: Run) -> Iterator[Run]:
    """The run after each further stage; the last one given is over, waits for an answer, or has come to a breakpoint."""
    while not run.is_over:
        run = step(run)
        yield run
        if run.waiting is not None or halted(run):
            return


def advance(run: Run, target: int | None, ask: Callable[[Run, Request], Reply | None]) -> Iterator[Run]:
    """`proceed` until there are `target` results (None: as far as it goes), asking `ask` for whatever the run waits with.

    Gives the run after each stage. Where `ask` gives None nobody may answer now, and the run is left waiting.
    """
    while True:
        for later in proceed(run):
            run = later
            yield run
            if target is not None and len(run.results) >= target:
                return
        if run.waiting is None:
            return
        reply = ask(run, run.waiting)
        if reply is None:
            return
        run = answer(run, run.waiting.key, reply)


def edited(run: Run, text: str | None) -> Run:
    """The run with the user's summary in place of the model's; None goes back to the model's.

    What used the other summary is to be computed again: the cleaning of the reply, and what follows.
    """
    if text is not None:
        return answer(run, EDITED, Reply(text=text, source="the user"))
    if EDITED not in run.replies:
        return run
    emptied = answer(run, EDITED, Reply())
    return replace(emptied, replies={key: reply for key, reply in run.replies.items() if key != EDITED})


def asked_next(run: Run) -> Request | None:
    """The question that the run waits with, or the summary request that comes next, exactly as it would go out."""
    if run.waiting is not None:
        return run.waiting
    return summary_request(run.ground, run.plan, run.work) if following(run) == ASK else None


def back(run: Run) -> Run:
    """One stage back; what lies ahead is remembered."""
    return rewind(run, len(run.results) - 1)


def _why(run: Run, point: Breakpoint, upcoming: str | None) -> str:
    if point.kind == STAGE:
        return f"Breakpoint: {point.words} comes next." if upcoming == point.stage else ""
    if not run.results:
        return ""
    last = run.results[-1]
    if point.kind == FAULT:
        return f"Breakpoint: {STAGES[last.name].title} adds a fault: {last.faults[0].sentence}" if last.faults else ""
    now = last.tokens_after
    before = run.results[-2].tokens_after if len(run.results) > 1 else last.tokens_before
    reached = before > point.tokens >= now if point.kind == AT_MOST else before < point.tokens <= now
    return f"Breakpoint: {now:,} tokens behind {STAGES[last.name].title} ({point.words})." if reached else ""
