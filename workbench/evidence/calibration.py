"""How many real tokens a rough one is, fitted on what a session recorded (spec 2, section 9).

The prompts of two calls in a row differ by exactly what came in between; its bytes/4 is known; the ratio of the two is the
factor. A session has its own, and few steps say little: then the usual factors of the model's tokenizer count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from types import MappingProxyType
from typing import NamedTuple

from ..compaction.models import name_of
from ..conversation.block import Block
from ..conversation.row import USER, Row
from ..conversation.text import rough, utf8_length
from ..conversation.tokens import Estimator, image_tokens
from ..transcript.index import Call
from ..transcript.session import Session
from .steps import has_boundary, step_to

TEXT, CALL, RESULT, THINKING = "text", "tool_use", "tool_result", "thinking"
USUAL: Mapping[str, float] = MappingProxyType({TEXT: 1.0, CALL: 1.2, RESULT: 1.33, THINKING: 1.33})
NEW_TOKENIZER = 1.3  # times as many tokens, from Opus 4.7 on
NEW_SINCE = (4, 7)

LEAST_STEPS = 10
MOST_STEPS = 400  # the newest ones: enough, however long the session is
LEAST_BYTES = 2_000
LEAST_ROUGH = LEAST_BYTES // 4
DOMINANT = 0.8  # of a step's rough tokens: then its ratio speaks for that kind


class Measured(NamedTuple):
    """A step whose growth was measured: real tokens, and rough tokens of each kind of block in it."""

    tokens: int
    rough: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Real tokens for a rough one.

    factors  by kind of block: text, tool_use, tool_result, thinking
    steps    on how many steps they were fitted; 0 for the usual ones
    source   where they come from, in words
    ratio    median of real / rough over these steps, whatever the kinds; None without
    spread   (25th, 75th percentile) of that ratio; None without
    """

    factors: Mapping[str, float]
    steps: int
    source: str
    ratio: float | None = None
    spread: tuple[float, float] | None = None

    def factor(self, kind: str) -> float:
        """The factor of a block's kind: what an attachment or reminder holds is text."""
        if kind in self.factors:
            return self.factors[kind]
        if kind.endswith("tool_use"):
            return self.factors[CALL]
        return self.factors[RESULT if kind.endswith("tool_result") else THINKING if kind == "redacted_thinking" else TEXT]

    def calibrated(self, block: Block) -> int:
        """Tokens of a block; its images count by their sides, as in `rough`."""
        images = image_tokens(block)
        return round((block.tokens - images) * self.factor(block.kind)) + images

    def texts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of prose: system prompt, tools, notes."""
        return [round(rough(utf8_length(t)) * self.factors[TEXT]) for t in texts]

    @property
    def estimator(self) -> Estimator:
        """The same, to be handed in wherever tokens are estimated."""

        def blocks(found: Sequence[Block]) -> list[int]:
            return [self.calibrated(b) for b in found]

        return Estimator("calibrated", "calibrated bytes/4", self.source, self.texts, blocks)


def has_new_tokenizer(model: str | None) -> bool:
    """Whether the model counts by the newer tokenizer (Opus 4.7, Sonnet 5 and later); unknown ones do not."""
    numbers = (name_of(model) or "").rpartition(" ")[2].split(".")
    if not all(n.isdigit() and len(n) < 3 for n in numbers):
        return False
    return tuple(map(int, numbers)) >= NEW_SINCE


def usual(model: str | None, why: str = "no recorded growth to fit") -> Calibration:
    """The factors measured over many sessions, for the model's tokenizer."""
    new = has_new_tokenizer(model)
    factors = {kind: round(f * NEW_TOKENIZER, 3) if new else f for kind, f in USUAL.items()}
    return Calibration(factors, 0, f"the usual factors of {name_of(model) or 'an unknown model'}: {why}")


def calibrate(steps: Iterable[Measured], model: str | None) -> Calibration:
    """Factors fitted on steps by medians, which single odd steps do not move.

    One scale on the usual factors fits them all; a kind that dominates enough steps gets the median of those.
    """
    sound = [s for s in steps if s.tokens > 0 and sum(s.rough.values()) >= LEAST_ROUGH]
    if len(sound) < LEAST_STEPS:
        return usual(model, f"only {len(sound)} steps to fit on, {LEAST_STEPS} needed")
    ratios = [s.tokens / sum(s.rough.values()) for s in sound]
    scale = median(s.tokens / sum(USUAL[k] * n for k, n in s.rough.items()) for s in sound)
    scaled = {kind: scale * f for kind, f in USUAL.items()}
    factors = {kind: round(_own_factor(kind, sound, scaled), 3) for kind in USUAL}
    low, middle, high = quantiles(ratios, n=4)
    words = f"factors fitted on {len(sound)} steps of this session: median {middle:.2f}, half of them {low:.2f}-{high:.2f}"
    return Calibration(factors, len(sound), words, round(middle, 3), (round(low, 3), round(high, 3)))


def _own_factor(kind: str, steps: Sequence[Measured], scaled: Mapping[str, float]) -> float:
    """The median over the steps that a kind dominates, less what the other kinds have of them; where they are few, as scaled."""
    own = [s for s in steps if s.rough.get(kind, 0) >= DOMINANT * sum(s.rough.values())]
    if len(own) < LEAST_STEPS:
        return scaled[kind]
    return median((s.tokens - sum(scaled[k] * n for k, n in s.rough.items() if k != kind)) / s.rough[kind] for s in own)


def calibration_of(session: Session) -> Calibration:
    """Fitted on the newest steps of the main chain whose calls share the newest model's tokenizer; decodes their rows."""
    calls, model = session.main_calls, model_of(session)
    return calibrate(_newest(session, calls, has_new_tokenizer(model)), model) if calls else usual(model)


def model_of(session: Session) -> str | None:
    """The model of the newest call of the main chain, or the one that a Messages API request names."""
    calls = session.main_calls
    model = calls[-1].model if calls else (session.plain or {}).get("model")
    return model if isinstance(model, str) and model else None


def _newest(session: Session, calls: Sequence[Call], new: bool) -> list[Measured]:
    """The newest measured steps that are large enough, without prompts, images and what was not recorded word for word."""
    found: list[Measured] = []
    for before, after in zip(calls[-2::-1], calls[:0:-1], strict=True):
        if len(found) == MOST_STEPS:
            break
        if has_new_tokenizer(before.model) != new or has_new_tokenizer(after.model) != new:
            continue
        if sum(session.index.lengths[before.row : after.row]) < LEAST_BYTES or has_boundary(session, before, after):
            continue
        step = step_to(session, before, after.row)
        rows = [r for r in session.rows((*step.reply, *step.after)) if r.role is not None]
        parts = _by_kind(rows) if step.follows else None
        if parts is not None and sum(parts.values()) >= LEAST_ROUGH:
            found.append(Measured(after.prompt - before.prompt, parts))
    return found


def _by_kind(rows: Iterable[Row]) -> dict[str, int] | None:
    """Rough tokens by kind; None where a prompt, an image, hidden thinking or an estimated attachment is among the blocks."""
    found: dict[str, int] = {}
    for row in rows:
        for block in row.blocks:
            kind = TEXT if block.kind == "reminder" else block.kind
            hidden = kind == THINKING and not block.size
            if kind not in USUAL or hidden or block.images or (block.kind == TEXT and row.role == USER):
                return None
            found[kind] = found.get(kind, 0) + block.tokens
    return found
