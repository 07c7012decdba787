"""How large the agent's window is, with the evidence behind it (spec 1, section 1).

The agent's window is not in a transcript. So claims are weighed, the strongest first: a setting, the `[1m]` suffix, the
table of models, 200,000. What happened overrules what is claimed: a successful call of n tokens proves a window of n; an
automatic compaction at p tokens proves a threshold of at most p.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from .budget import fires_at, limited, reserve_of, reserve_of_version
from .models import MILLION, MODELS, Model, has_large_window, lookup, name_of
from .settings import TABLE, Settings

SETTING, SUFFIX, MODEL, ASSUMED, CALL, BOUNDARY = "setting", "suffix", "model", "default", "call", "boundary"
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
    limit = limited(window.tokens, settings)
    reserves = [reserve_of_version(version, settings, model) for _, version in plausible]
    early = [
        (tokens + reserve + buffer, tokens)
        for (tokens, _), reserve in zip(plausible, reserves, strict=True)
        if fires_at(limit, reserve, buffer, settings) > tokens
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
        return replace(window, fires_by=largest - buffer - reserve_of(settings, model))
    gave_way.append(f"{_said(window)} is overruled by {proof}: a window of {guess:,} must have been configured (a guess).")
    return replace(window, tokens=guess, source=BOUNDARY, why=f"{proof} (a guess)", proven_by=proof, guess=True)


def _said(claim: _Claim | Window) -> str:
    return f"{claim.tokens:,} by {claim.why}"
