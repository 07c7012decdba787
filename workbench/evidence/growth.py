"""What a context grew by between two calls, put down to the rows between them (spec 2, section 9).

The difference of the two prompts is exact; what each row has of it is an estimate, scaled so that the parts add up. What no
row explains is said to be not recorded: content that was sent but not saved, or that left the context unseen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.block import Block
from ..conversation.figure import EXACT
from ..conversation.row import ASSISTANT, USER, Row
from ..conversation.tokens import image_tokens, shared_out
from ..transcript.index import Call
from ..transcript.session import Session
from ..transcript.usage import size_by
from .calibration import Calibration, usual
from .steps import has_boundary, step_to

NOT_RECORDED, CLEARED, PROMPT = "not recorded", "cleared", "prompt"
HIDDEN = ("thinking", "redacted_thinking")
PAIR_TOKENS = 120  # that a call and its result may cost beside their texts
PLAUSIBLE = 2.0  # times more, or less, than expected: still explained by the rows


@dataclass(frozen=True, slots=True)
class Share:
    """A block's share of the growth.

    row_line  1-based physical line of its row; None for what is not recorded
    kind      the block's kind; "prompt" for a user's text, "cleared" for old results taken out, "not recorded"
    name      the tool of a call or result, the type of an attachment; "" elsewhere
    rough     its rough tokens; None where there is no text to estimate
    tokens    its share of the measured difference: estimated
    factor    tokens for a rough one; None without `rough`
    """

    row_line: int | None
    kind: str
    name: str
    rough: int | None
    tokens: int

    @property
    def factor(self) -> float | None:
        return self.tokens / self.rough if self.rough else None


@dataclass(frozen=True, slots=True)
class Growth:
    """A measured difference of two prompts, in tokens, and its parts in the order of the file; they add up to it exactly.

    factor  real tokens for a rough one of text in this step; None where there is no text, or where the rows cannot explain
            the difference: then their parts are estimates by calibration, and the rest is `unexplained`
    """

    total: int
    parts: tuple[Share, ...]
    factor: float | None

    @property
    def unexplained(self) -> int:
        """Tokens that no recorded row explains; negative where something left the context unseen."""
        return sum(p.tokens for p in self.parts if p.kind == NOT_RECORDED)


@dataclass(frozen=True, slots=True)
class _Part:
    """A block on its way to a share: tokens that scale, that are known without scaling, and that calibration expects."""

    line: int | None
    kind: str
    name: str
    rough: int
    scales: int
    fixed: int
    expected: float


def growth(session: Session, before: Call, after: Call, calibration: Calibration | None = None) -> Growth | None:
    """The growth from one call to the next of the same chain; decodes only the rows between.

    None where a boundary stands between or the second does not go on from the first: then nothing was measured.
    """
    step = step_to(session, before, after.row)
    if not step.follows or has_boundary(session, before, after):
        return None
    factors = calibration or usual(after.model)
    reply = list(session.rows(step.reply))
    rows = reply + [r for r in session.rows(step.after) if r.role is not None]
    parts = _parts(sorted(rows, key=lambda r: r.place), _hidden_tokens(before, reply, factors), factors)
    cleared = _cleared(session, before, after, factors)
    return _settled(after.prompt - before.prompt, parts, cleared)


def _hidden_tokens(call: Call, reply: Sequence[Row], factors: Calibration) -> int:
    """Tokens of thinking whose text is not stored: the recorded output less what the rest of the reply has of it."""
    blocks = [b for r in reply for b in r.blocks]
    if size_by(call, reply).output_kind != EXACT or not any(map(_is_hidden, blocks)):
        return 0
    return max(0, call.output - sum(factors.calibrated(b) for b in blocks if not _is_hidden(b)))


def _is_hidden(block: Block) -> bool:
    return block.kind in HIDDEN and (not block.size or block.kind == "redacted_thinking")


def _parts(rows: Sequence[Row], hidden: int, factors: Calibration) -> list[_Part]:
    names = {b.call: b.name for r in rows for b in r.blocks if b.kind == "tool_use"}
    shares = iter(shared_out(hidden, [1.0] * sum(_is_hidden(b) for r in rows for b in r.blocks)))
    found = []
    for row in rows:
        for block in row.blocks:
            unseen = _is_hidden(block)
            fixed = next(shares) if unseen else image_tokens(block)
            scales = 0 if unseen else block.tokens - fixed
            expected = fixed + scales * factors.factor(block.kind)
            kind, name = _named(block, row, names)
            found.append(_Part(row.line, kind, name, 0 if unseen else block.tokens, scales, fixed, expected))
    return found


def _named(block: Block, row: Row, names: dict[str, str]) -> tuple[str, str]:
    """(kind, name) of a share."""
    if block.kind == "tool_result":
        return block.kind, names.get(block.call, "")
    if row.is_attachment:
        return "attachment", row.kind.partition(":")[2]
    if block.kind == "text" and row.role == USER:
        return PROMPT, ""
    return block.kind, block.name if row.role == ASSISTANT else ""


def _cleared(session: Session, before: Call, after: Call, factors: Calibration) -> _Part | None:
    """Old results that a recorded microcompaction took out between the calls; its tokens are rough and negative."""
    found = [m for m in session.microcompactions if before.row < m.place < after.row and m.tokens_saved]
    if not found:
        return None
    saved, results = sum(m.tokens_saved or 0 for m in found), sum(len(m.tool_ids) for m in found)
    return _Part(found[0].line, CLEARED, f"{results} old results", -saved, 0, 0, -saved * factors.factor("tool_result"))


def _settled(total: int, parts: list[_Part], cleared: _Part | None) -> Growth:
    expected = sum(p.expected for p in parts)
    if cleared is not None:  # the clearing outweighs the rows, so it takes what they leave
        left = total - sum(round(p.expected) for p in parts)
        return _as_expected(total, [*parts, cleared], left if _is_plausible(-left, -cleared.expected) else None)
    if not _is_plausible(total, expected, PAIR_TOKENS * sum(p.kind == "tool_result" for p in parts)):
        return _as_expected(total, parts)
    fixed, scales = sum(p.fixed for p in parts), sum(p.scales for p in parts)
    if not scales or total <= fixed:
        tokens = shared_out(total, [p.expected for p in parts])
        return Growth(total, tuple(map(_share, parts, tokens)), None)
    scaled = shared_out(total - fixed, [p.scales for p in parts])
    return Growth(total, tuple(_share(p, p.fixed + t) for p, t in zip(parts, scaled, strict=True)), (total - fixed) / scales)


def _is_plausible(tokens: float, expected: float, beside: int = 0) -> bool:
    return expected > 0 and expected / PLAUSIBLE <= tokens <= (expected + beside) * PLAUSIBLE


def _as_expected(total: int, parts: Sequence[_Part], last: int | None = None) -> Growth:
    """Each part as calibration expects it (the last one as given), and the rest as not recorded."""
    shares = [_share(p, round(p.expected)) for p in parts]
    if last is not None:
        shares[-1] = _share(parts[-1], last)
    rest = total - sum(s.tokens for s in shares)
    if rest:
        shares.append(Share(None, NOT_RECORDED, "", None, rest))
    return Growth(total, tuple(shares), None)


def _share(part: _Part, tokens: int) -> Share:
    return Share(part.line, part.kind, part.name, part.rough or None, tokens)
