"""Where the window ends and where compaction fires, each number with the evidence behind it (spec 1, section 1).

The agent's window is not in a transcript. So claims are weighed, the strongest first: a setting, the `[1m]` suffix, the
table of models, 200,000. What happened overrules what is claimed: a successful call of n tokens proves a window of n; an
automatic compaction at p tokens proves a threshold of at most p.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import floor
from typing import NamedTuple

from ..errors import UsageError
from .models import MILLION, MODELS, Model, has_large_window, lookup, name_of
from .profiles import preset_of
from .settings import TABLE, Settings

SETTING, SUFFIX, MODEL, ASSUMED, CALL, BOUNDARY = "setting", "suffix", "model", "default", "call", "boundary"
COMPUTED, PERCENT, NEVER = "computed", "percent", "never"
ROUND = 100_000  # tokens: people configure whole hundred thousands, the agent allows 100,000 to 1,000,000


class Fired(NamedTuple):
    """A recorded compaction: `auto` or `manual`, tokens before, the agent's version then."""

    trigger: str | None
    pre_tokens: int | None
    version: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a session shows of its window: the model of the newest call, the largest prompt that went through, in tokens."""

    model: str | None = None
    largest_prompt: int | None = None
    fired: tuple[Fired, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """The agent's window in tokens.

    source      setting | suffix | model | default: a claim; call | boundary: an observation
    why         the source in words
    proven_by   the observation that decided it, in words; None for a mere claim
    overruled   a sentence for each claim that gave way, and for what proves nothing
    guess       inferred, not known
    configured  a window was configured, or an automatic compaction shows that one was
    fires_by    tokens: an upper bound of the threshold that no window explains; None without
    """

    tokens: int
    source: str
    why: str
    proven_by: str | None = None
    overruled: tuple[str, ...] = ()
    guess: bool = False
    configured: bool = False
    fires_by: int | None = None


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where things happen, in tokens of context.

    effective  the window less the reserve
    auto       compaction fires at this; None: it never does before the API's limit
    warning    None with `auto`
    manual     the limit up to which a compaction by hand is possible
    preset     the version preset that gave the reserve
    source     computed | percent | boundary (proven by one) | never
    why        the source in words
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


class _Claim(NamedTuple):
    tokens: int
    source: str
    why: str


def window_evidence(facts: Facts, settings: Settings, models: Iterable[Model] = MODELS) -> Window:
    """The window by the strongest evidence, and what it overruled."""
    model = lookup(facts.model, models)
    claims = _claims(facts.model, model, settings)
    best = claims[0]
    gave_way = [f"{_said(c)} gives way to {best.why}." for c in claims[1:] if c.tokens != best.tokens]
    window = Window(best.tokens, best.source, best.why, guess=best.source == ASSUMED, configured=best.source == SETTING)
    window = _after_calls(window, facts.largest_prompt, model, gave_way)
    window = _after_boundaries(window, facts, settings, model, gave_way)
    if settings["autoCompactWindow"].value is not None:
        window = replace(window, configured=True)
    return replace(window, overruled=tuple(gave_way))


def threshold_of(window: Window, model_id: str | None, settings: Settings, models: Iterable[Model] = MODELS) -> Threshold:
    """The threshold for a window. Raises UsageError, naming what to change, when nothing would be left."""
    reserve = _reserve(settings, lookup(model_id, models))
    buffer = settings.number("autocompactBuffer")
    limit = _limited(window.tokens, settings)
    effective = limit - reserve
    full, auto = effective - buffer, _auto(limit, reserve, buffer, settings)
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


def _claims(model_id: str | None, model: Model | None, settings: Settings) -> list[_Claim]:
    claims: list[_Claim] = []
    set_to = settings.number_or_none("window")
    if set_to is not None:
        claims.append(_Claim(set_to, SETTING, f"the setting window ({settings['window'].origin})"))
    if has_large_window(model_id):
        claims.append(_Claim(MILLION, SUFFIX, f"the suffix [1m] of {model_id}"))
    if model is not None:
        claims.append(_Claim(model.agent_window, MODEL, f"the agent's window for {model.name}"))
    else:
        name = name_of(model_id)
        unknown = f"the model {name} is not in the table" if name else "no model is recorded"
        claims.append(_Claim(settings.number("defaultWindow"), ASSUMED, f"the usual window ({unknown})"))
    return claims


def _after_calls(window: Window, largest: int | None, model: Model | None, gave_way: list[str]) -> Window:
    """A call that went through proves a window at least as large; the next known size is taken."""
    if largest is None or largest <= window.tokens:
        return window
    proof = f"a call of {largest:,} tokens that went through"
    gave_way.append(f"{_said(window)} is overruled by {proof}.")
    sizes = (model.window if model else MILLION, MILLION)
    tokens = min((s for s in sizes if s >= largest), default=largest)
    return replace(window, tokens=tokens, source=CALL, why=proof, proven_by=proof, guess=tokens != largest)


def _after_boundaries(window: Window, facts: Facts, settings: Settings, model: Model | None, gave_way: list[str]) -> Window:
    """Automatic compactions that fired too early for the window show that a smaller one was configured."""
    fired = [(f.pre_tokens, f.version) for f in facts.fired if f.trigger == "auto" and f.pre_tokens is not None]
    lowest = settings.number("plausibleThreshold")
    gave_way += [f"The automatic compaction at {t:,} was reactive: no threshold is so low." for t, _ in fired if t < lowest]
    plausible = [(tokens, version) for tokens, version in fired if tokens >= lowest]
    if not plausible:
        return window
    window = replace(window, configured=True)
    buffer: int = TABLE["autocompactBuffer"].default  # of the agent that fired, not of the user's trial
    limit = _limited(window.tokens, settings)
    reserves = [_reserve_of(version, settings, model) for _, version in plausible]
    early = [
        (tokens + reserve + buffer, tokens)
        for (tokens, _), reserve in zip(plausible, reserves, strict=True)
        if _auto(limit, reserve, buffer, settings) > tokens
    ]
    if not early:
        return window
    largest, tokens = min(early)
    proof = f"an automatic compaction at {tokens:,} tokens"
    guess = min(max(largest // ROUND * ROUND, ROUND), MILLION)
    if window.source == SETTING:
        gave_way.append(f"{proof.capitalize()} speaks for a window of {guess:,}; the setting stands all the same.")
        return window
    if guess > largest or guess < (facts.largest_prompt or 0):
        return replace(window, fires_by=largest - buffer - _reserve(settings, model))
    gave_way.append(f"{_said(window)} is overruled by {proof}: a window of {guess:,} must have been configured (a guess).")
    return replace(window, tokens=guess, source=BOUNDARY, why=f"{proof} (a guess)", proven_by=proof, guess=True)


def _said(claim: _Claim | Window) -> str:
    return f"{claim.tokens:,} by {claim.why}"


def _limited(window: int, settings: Settings) -> int:
    """The window after the override, which only makes it smaller."""
    override = settings.number_or_none("autoCompactWindow")
    return window if override is None else min(window, override)


def _auto(limit: int, reserve: int, buffer: int, settings: Settings) -> int:
    effective = limit - reserve
    percent = settings.real_or_none("autoCompactPercent")
    return effective - buffer if percent is None else min(floor(effective * percent / 100), effective - buffer)


def _reserve(settings: Settings, model: Model | None) -> int:
    """min(model max output, reserve), or the constant of the old versions."""
    return _capped(settings.number("summaryReserve"), settings.on("reserveIsConstant"), settings, model)


def _reserve_of(version: str | None, settings: Settings, model: Model | None) -> int:
    """The reserve of the version that compacted, whatever the session's last version is."""
    if not version:
        return _reserve(settings, model)
    preset = preset_of(version)
    return _capped(preset.reserve, preset.constant, settings, model)


def _capped(reserve: int, constant: bool, settings: Settings, model: Model | None) -> int:
    output = settings.number_or_none("maxOutputTokens") or (model.max_output if model else None)
    return reserve if constant or output is None else min(output, reserve)


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
