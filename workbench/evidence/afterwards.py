"""What happened after a compaction that speaks of loss: files read again, rules repeated, corrections at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conversation.row import USER, Row
from ..memory.offline.rules import is_correction
from ..memory.words import given, one_line
from ..summarizers.offline.voices import REFUSAL, REQUEST, voices
from .loss_items import CORRECTION, RULE, Told
from .matching import Haystack, find, mentions

READ_AGAIN, REPEATED, CORRECTED, REFUSED = "read-again", "rule-repeated", "corrected", "refused"
SOON = 3  # requests behind a compaction in which a correction is put down to it


@dataclass(frozen=True, slots=True)
class Afterwards:
    """One sign: its kind, the physical line where it is seen, and what it is about."""

    kind: str
    line: int | None
    item: str


def afterwards(
    before: Sequence[Row], since: Sequence[Row], lost: Sequence[Told], attached: Sequence[str]
) -> tuple[Afterwards, ...]:
    """The signs in the order of the rows behind the boundary; `lost` are the items that are no longer there word for word."""
    found = [*_read_again(before, since, attached), *_spoken(since, lost)]
    return tuple(sorted(found, key=lambda sign: sign.line or 0))


def _read_again(before: Sequence[Row], since: Sequence[Row], attached: Sequence[str]) -> Iterator[Afterwards]:
    known = set(_paths(before))
    for row in since:
        for path in dict.fromkeys(_paths((row,), ("Read",))):
            if path in known:
                known.discard(path)
                again = " though it was attached again" if mentions(path, attached) else ""
                yield Afterwards(READ_AGAIN, row.line, f"{path}{again}")


def _paths(rows: Sequence[Row], tools: Sequence[str] = ("Read", "Edit", "MultiEdit", "Write")) -> Iterator[str]:
    for row in rows:
        for block in row.blocks:
            if block.kind == "tool_use" and block.name in tools and isinstance(path := given(block).get("file_path"), str):
                yield path


def _spoken(since: Sequence[Row], lost: Sequence[Told]) -> Iterator[Afterwards]:
    said = [(row, v) for row in since if row.role == USER for v in voices((row,)) if v.kind in (REQUEST, REFUSAL)]
    rules = [told for told in lost if told.kind in (RULE, CORRECTION)]
    for place, (row, voice) in enumerate(said):
        repeated = next((told for told in rules if find(told.text, Haystack(voice.text)).is_found), None)
        if repeated is not None:
            rules.remove(repeated)
            yield Afterwards(REPEATED, row.line, one_line(repeated.text, 200))
        elif voice.kind == REFUSAL:
            yield Afterwards(REFUSED, row.line, one_line(voice.text or "a call was refused", 200))
        elif place < SOON and is_correction(voice.text.strip()):
            yield Afterwards(CORRECTED, row.line, one_line(voice.text, 200))
