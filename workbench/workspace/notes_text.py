"""Notes as they stand in an editor, and back again without a byte changed that the user did not touch.

In an editor a line is a line: what a terminal would obey, what would break a line elsewhere and bytes that are no text
stand there as signs. Whoever saves gets every untouched line back as it was read, line ends included.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

CR, LF = "\r", "\n"
MOST_PAIRS = 250_000  # of lines to be compared; beyond that the changed stretch counts as typed anew
LINE_SIGN, REPLACEMENT = "\N{SYMBOL FOR NEWLINE}", "\N{REPLACEMENT CHARACTER}"

_SIGNS = (
    {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
    | {0x7F: "\N{SYMBOL FOR DELETE}"}
    | dict.fromkeys(range(0x80, 0xA0), REPLACEMENT)
    | dict.fromkeys((0x85, 0x2028, 0x2029), LINE_SIGN)
    | dict.fromkeys(range(0xD800, 0xE000), REPLACEMENT)
)


def editable(text: str) -> str:
    """The text as it stands in the editor: as many lines as before, each ended by a newline."""
    return text.replace(CR + LF, LF).translate(_SIGNS)


def written_back(now: str, saved: str) -> str:
    """What is to be saved when the editor holds `now`: lines of `saved` that it still shows are those of the file.

    Lines that were changed or added are as typed, with the line end that the file uses.
    """
    shown = editable(saved)
    if shown == saved:
        return now
    before, after = shown.split(LF), now.split(LF)
    raw = saved.split(LF)
    end = CR if CR + LF in saved else ""
    lines: list[str] = []
    for old, new in _pairs(before, after):
        is_last = new == len(after) - 1
        if old is None:
            lines.append(after[new] + ("" if is_last else end))
            continue
        kept = raw[old]
        was_last = old == len(raw) - 1
        if is_last and not was_last:
            kept = kept.removesuffix(CR) if kept.endswith(CR) else kept
        elif was_last and not is_last:
            kept += end
        lines.append(kept)
    return LF.join(lines)


def _pairs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int]]:
    """Each line of `after` with the line of `before` that it is; an edit is mostly one stretch, so the ends are met first."""
    most = min(len(before), len(after))
    head = next((i for i in range(most) if before[i] != after[i]), most)
    tail = next((i for i in range(most - head) if before[-1 - i] != after[-1 - i]), most - head)
    for i in range(head):
        yield i, i
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    yield from ((None if o is None else head + o, head + n) for o, n in _matched(old, new))
    for i in range(tail):
        yield len(before) - tail + i, len(after) - tail + i


def _matched(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int]]:
    if len(before) * len(after) > MOST_PAIRS:
        yield from ((None, i) for i in range(len(after)))
        return
    for tag, first, _, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for i in range(end - start):
            yield first + i if tag == "equal" else None, start + i
