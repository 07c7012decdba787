"""Whether to compact now: every guard is evaluated and shown, in order; the first that holds decides (spec 1, section 3)."""

from dataclasses import dataclass

from ..conversation.wording import counted, noun
from . import variants
from .breaker import AUTO, MANUAL, Tracking, why_open
from .settings import Settings
from .threshold import Threshold

RECURSIVE = ("session_memory", "compact")
CONTEXT_AGENT = "marble_origami"
MICRO = (variants.MICRO_TIME, variants.MICRO_CACHED)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and what is known when it is asked.

    tokens    in context; None: unknown; at_least: there may be more of them
    trigger   auto | manual
    variant   auto, or the one that was named
    """

    tokens: int | None
    trigger: str = AUTO
    variant: str = variants.AUTO
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard: its name here and there, what it looked at, whether it holds, and whether it may decide in this run."""

    name: str
    there: str
    value: str
    source: str
    holds: bool
    decides: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """All guards in order, and what follows from them."""

    guards: tuple[Guard, ...]

    @property
    def stopped_by(self) -> Guard | None:
        """The first guard that holds and may decide."""
        return next((g for g in self.guards if g.holds and g.decides), None)

    @property
    def fires(self) -> bool:
        return self.stopped_by is None

    @property
    def reason(self) -> str:
        stopped = self.stopped_by
        if stopped is not None:
            return stopped.reason
        passed = [g.name for g in self.guards if g.holds]
        return "No guard holds." if not passed else f"Passed without deciding: {', '.join(passed)}."


def judge(asked: Asked, threshold: Threshold, tracking: Tracking, settings: Settings) -> Verdict:
    """The verdict for a turn, or for a compaction that was asked for."""
    return Verdict(
        (
            _compaction_off(asked, settings),
            _breaker_open(asked, tracking, settings),
            _recursion(asked, settings),
            _context_agent(asked, settings),
            _auto_off(asked, settings),
            _reactive_on(asked, settings),
            _collapse_on(asked, settings),
            _below_threshold(asked, threshold),
        )
    )


def _is_free(asked: Asked) -> bool:
    """By hand, or on the API's answer: every guard but the first is passed. Clearing results runs before all guards."""
    return asked.trigger == MANUAL or asked.variant == variants.REACTIVE or asked.variant in MICRO


def _compaction_off(asked: Asked, settings: Settings) -> Guard:
    off = settings.on("DISABLE_COMPACT")
    decides = asked.variant not in MICRO
    reason = "Compaction is switched off (DISABLE_COMPACT)." if off else "Compaction is not switched off."
    return Guard("compaction off", "DISABLE_COMPACT", _word(off), settings["DISABLE_COMPACT"].origin, off, decides, reason)


def _breaker_open(asked: Asked, tracking: Tracking, settings: Settings) -> Guard:
    why = why_open(tracking, settings)
    value = f"{tracking.consecutive_failures} of {settings.number('maxConsecutiveFailures')} failures"
    if tracking.quick_refills:
        value += f", {tracking.quick_refills} of {settings.number('thrashRepeats')} quick refills"
    there = "MAX_CONSECUTIVE_AUTOCOMPACT_FAILURES"
    return Guard("breaker open", there, value, "session", bool(why), not _is_free(asked), why or f"Closed: {value} in a row.")


def _recursion(asked: Asked, settings: Settings) -> Guard:
    source = settings.text("querySource")
    holds = source in RECURSIVE
    reason = (
        f"The query source {source} compacts itself: it would recurse." if holds else f"The query source {source} cannot recurse."
    )
    return Guard("recursion", "shouldAutoCompact", source, settings["querySource"].origin, holds, not _is_free(asked), reason)


def _context_agent(asked: Asked, settings: Settings) -> Guard:
    source = settings.text("querySource")
    holds = source == CONTEXT_AGENT
    reason = f"The query source {source} {'shares' if holds else 'does not share'} the state of the main thread."
    return Guard("context agent", CONTEXT_AGENT, source, settings["querySource"].origin, holds, not _is_free(asked), reason)


def _auto_off(asked: Asked, settings: Settings) -> Guard:
    disabled, enabled = settings.on("DISABLE_AUTO_COMPACT"), settings.on("autoCompactEnabled")
    by = "DISABLE_AUTO_COMPACT" if disabled else "autoCompactEnabled"
    holds = disabled or not enabled
    reason = f"Automatic compaction is switched off ({by})." if holds else "Automatic compaction is on."
    return Guard(
        "auto-compact off", "isAutoCompactEnabled", _word(not holds), settings[by].origin, holds, not _is_free(asked), reason
    )


def _reactive_on(asked: Asked, settings: Settings) -> Guard:
    on = settings.on("reactive")
    reason = "Reactive mode waits for the API to answer too long." if on else "Reactive mode is off."
    return Guard(
        "reactive mode on", "isReactiveCompactEnabled", _word(on), settings["reactive"].origin, on, not _is_free(asked), reason
    )


def _collapse_on(asked: Asked, settings: Settings) -> Guard:
    on = settings.on("collapse")
    decides = not _is_free(asked) and asked.variant != variants.FOLD
    reason = "Context collapse folds rounds instead." if on else "Context collapse is off."
    return Guard("context collapse on", "isContextCollapseEnabled", _word(on), settings["collapse"].origin, on, decides, reason)


def _below_threshold(asked: Asked, threshold: Threshold) -> Guard:
    """Naming a variant passes this guard: it is shown and does not decide."""
    there, decides = "getAutoCompactThreshold", not _is_free(asked) and asked.variant == variants.AUTO
    auto, tokens = threshold.auto, asked.tokens
    least = "at least " if asked.at_least else ""
    value = f"{'unknown' if tokens is None else f'{least}{tokens:,}'} of {'no threshold' if auto is None else f'{auto:,}'}"
    context = "" if tokens is None else f"{counted(tokens, 'token')} in context"
    if auto is None:
        holds, reason = True, f"There is no threshold: {threshold.why}."
    elif tokens is None:
        holds, reason = True, f"The tokens in context are unknown, so that they cannot be held against {auto:,}."
    elif tokens < auto and asked.at_least:
        words = "are known, and it may be more: whether that reaches the threshold of"
        holds, reason = True, f"At least {context} {words} {auto:,} cannot be told."
    elif tokens < auto:
        holds, reason = True, f"{context} {noun(tokens, 'is', 'are')} {auto - tokens:,} below the threshold of {auto:,}."
    else:
        holds, reason = False, f"{context} {noun(tokens, 'has', 'have')} reached the threshold of {auto:,}."
    return Guard("below threshold", there, value, threshold.why, holds, decides, reason)


def _word(on: bool) -> str:
    return "on" if on else "off"
