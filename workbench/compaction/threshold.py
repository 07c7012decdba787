"""Where compaction fires, and the ladder that leads there, each number with its provenance (spec 1, section 1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import UsageError
from .budget import fires_at, limited, reserve_of
from .models import MODELS, Model, lookup
from .settings import Settings
from .window import BOUNDARY, Window

COMPUTED, PERCENT, NEVER, REFUSED = "computed", "percent", "never", "refused"


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where things happen, in tokens of context.

    effective  the window less the reserve
    auto       compaction fires at this; None: it never does before the API's limit
    warning    None with `auto`
    manual     the limit up to which a compaction by hand is possible
    preset     the version preset that gave the reserve
    source     computed | percent | boundary (proven by one) | never | refused (nothing would be left: `why` says what to change)
    why        the source in words
    limit      the window after the override
    reserve, buffer  what was taken off it
    """

    effective: int
    auto: int | None
    warning: int | None
    manual: int
    preset: str
    source: str
    why: str
    limit: int
    reserve: int
    buffer: int


class Rung(NamedTuple):
    """A step of the ladder: a level, or what is taken off (`is_step`); the agent's own name; tokens; provenance."""

    name: str
    there: str
    tokens: int
    is_step: bool
    source: str


def threshold_of(window: Window, model_id: str | None, settings: Settings, models: Iterable[Model] = MODELS) -> Threshold:
    """The threshold for a window. Raises UsageError, naming what to change, when nothing would be left."""
    reserve = reserve_of(settings, lookup(model_id, models))
    buffer = settings.number("autocompactBuffer")
    limit = limited(window.tokens, settings)
    effective = limit - reserve
    full, auto = effective - buffer, fires_at(limit, reserve, buffer, settings)
    if auto <= 0:
        raise UsageError(_refusal(limit, reserve, buffer, full, settings))
    source, why = COMPUTED, f"{limit:,} less {reserve:,} for the summary and {buffer:,} for the next turn"
    if auto < full:
        percent = settings["autoCompactPercent"]
        source, why = PERCENT, f"{percent.value:g}% of {effective:,} ({percent.origin})"
    if window.fires_by is not None and window.fires_by < auto:
        auto, source = window.fires_by, BOUNDARY
        why = f"an automatic compaction proves a threshold of at most {auto:,}; no window explains it"
    manual = effective - settings.number("manualBuffer")
    if settings.on("firesOnlyWithWindow") and not window.configured:
        why = "no window is configured (autoCompactWindow): it waits until the API answers too long"
        return Threshold(effective, None, None, manual, settings.preset, NEVER, why, limit, reserve, buffer)
    warning = auto - settings.number("warningBuffer")
    return Threshold(effective, auto, warning, manual, settings.preset, source, why, limit, reserve, buffer)


def no_threshold(window: Window, model_id: str | None, settings: Settings, why: str) -> Threshold:
    """For settings that leave no threshold: what can be told all the same, with the sentence that refuses them."""
    reserve = reserve_of(settings, lookup(model_id))
    limit = limited(window.tokens, settings)
    effective, buffer = limit - reserve, settings.number("autocompactBuffer")
    manual = effective - settings.number("manualBuffer")
    return Threshold(effective, None, None, manual, settings.preset, REFUSED, why, limit, reserve, buffer)


def ladder(window: Window, threshold: Threshold, settings: Settings) -> tuple[Rung, ...]:
    """The way from the window down to the warning, each number with its provenance; for the picture."""
    rungs = [Rung("window", "", window.tokens, False, window.why)]
    if threshold.limit < window.tokens:
        rungs.append(Rung("configured window", "", threshold.limit, False, settings["autoCompactWindow"].origin))
    reserve = settings["summaryReserve"]
    by_model = "" if threshold.reserve == reserve.value else " (the model's largest output)"
    rungs += [
        Rung("reserve", "MAX_OUTPUT_TOKENS_FOR_SUMMARY", threshold.reserve, True, reserve.origin + by_model),
        Rung("effective window", "getEffectiveContextWindowSize", threshold.effective, False, "window less reserve"),
        Rung("manual limit", "", threshold.manual, False, f"effective window less {settings.number('manualBuffer'):,}"),
    ]
    if threshold.auto is None or threshold.warning is None:
        return tuple(rungs)
    return (
        *rungs,
        Rung("buffer", "AUTOCOMPACT_BUFFER_TOKENS", threshold.buffer, True, settings["autocompactBuffer"].origin),
        Rung("threshold", "getAutoCompactThreshold", threshold.auto, False, threshold.why),
        Rung("warning", "", threshold.warning, False, f"threshold less {settings.number('warningBuffer'):,}"),
    )


def _refusal(limit: int, reserve: int, buffer: int, full: int, settings: Settings) -> str:
    if full > 0:
        percent = settings["autoCompactPercent"]
        return f"A threshold of {percent.value:g}% leaves no tokens at all; raise autoCompactPercent ({percent.origin})."
    override = settings["autoCompactWindow"]
    name, origin = ("window", settings["window"].origin) if override.value != limit else ("autoCompactWindow", override.origin)
    return (
        f"A window of {limit:,} less {reserve:,} for the summary and {buffer:,} for the next turn leaves no threshold; "
        f"raise {name} ({origin}) above {reserve + buffer:,}."
    )
