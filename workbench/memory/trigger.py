"""When notes would have been taken: the rule and its counters, replayed over a session's turns (spec 1, section 8.2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..conversation.wording import counted


@dataclass(frozen=True, slots=True)
class TriggerSettings:
    """first, growth: tokens in context; calls: tool calls since the last extraction."""

    first: int = 10_000
    growth: int = 5_000
    calls: int = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """One call to the model on the main thread, once its reply is there.

    place       whatever names the turn to the caller: an index of calls, a line
    tokens      in context after it
    calls       tool calls in its reply
    compacted   a compaction lies between the turn before and this one
    """

    place: int
    tokens: int
    calls: int = 0
    compacted: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rule says after a turn, and the counters it looked at.

    baseline    tokens in context at the last extraction, or at the first call after a compaction; None: no extraction yet
    growth      tokens since the baseline
    calls       tool calls since the last extraction, this turn's included
    extracts    whether notes are taken here; then the counters start again
    """

    place: int
    tokens: int
    baseline: int | None
    growth: int
    calls: int
    extracts: bool
    reason: str


def replay(turns: Iterable[Turn], settings: TriggerSettings = TriggerSettings()) -> tuple[Judgement, ...]:
    """The judgement after every turn; those with `extracts` are the marks of a timeline."""
    found: list[Judgement] = []
    baseline: int | None = None
    calls, begun = 0, False
    for turn in turns:
        if turn.compacted:
            calls = 0
            baseline = turn.tokens if begun else None
        calls += turn.calls
        judgement = judge(turn, baseline, calls, settings)
        found.append(judgement)
        if judgement.extracts:
            baseline, calls, begun = turn.tokens, 0, True
    return tuple(found)


def judge(turn: Turn, baseline: int | None, calls: int, settings: TriggerSettings = TriggerSettings()) -> Judgement:
    """The rule for one turn; `calls` since the last extraction, this turn's included."""
    growth = turn.tokens - (baseline or 0)
    if baseline is None:
        extracts = turn.tokens >= settings.first
        reason = f"{turn.tokens:,} tokens in context, the first notes are taken at {settings.first:,}"
    elif growth < settings.growth:
        extracts, reason = False, f"the context grew by {growth:,} tokens since the last notes, {settings.growth:,} are needed"
    elif calls >= settings.calls:
        extracts, reason = True, f"the context grew by {growth:,} tokens with {counted(calls, 'tool call')} since the last notes"
    elif not turn.calls:
        extracts, reason = True, f"the context grew by {growth:,} tokens, and the turn ended without a tool call"
    else:
        extracts = False
        reason = f"the context grew by {growth:,} tokens, but with {calls} of {settings.calls} tool calls, and the turn goes on"
    return Judgement(turn.place, turn.tokens, baseline, growth, calls, extracts, reason)
