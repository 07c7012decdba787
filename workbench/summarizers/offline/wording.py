"""How things of a session are written into a summary: entries, quotations, code, times."""

import re
from textwrap import dedent

from ...memory.words import clean, one_line

EARLIER = "Earlier: "  # begins what is carried on from an earlier summary
INDENT = "     "  # of what belongs to an entry
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})", re.MULTILINE)


def entry(text: str) -> str:
    """An entry of a list; its further lines are indented below it."""
    first, *more = text.strip().splitlines() or [""]
    return "\n".join([f"   - {first.rstrip()}", *(f"{INDENT}{line.rstrip()}" for line in more)])


def carried(text: str) -> str:
    """An entry of an earlier summary, marked as such; its further lines stay as they are."""
    return f"   - {EARLIER}{text.removeprefix(EARLIER)}"


def quoted(text: str, most: int) -> str:
    """A text in quotation marks and one line."""
    return f"“{one_line(text, most)}”"


def fenced(text: str, language: str = "", indent: str = INDENT) -> str:
    """A text of several lines between fences that nothing in it can end, each line kept as it is behind the indent."""
    marks = "`" * max([3, *(len(found[1]) + 1 for found in _FENCE.finditer(text))])
    lines = (f"{indent}{line}" if line else "" for line in text.split("\n"))
    return "\n".join([f"{indent}{marks}{language}", *lines, f"{indent}{marks}"])


def verbatim(text: str, label: str) -> str:
    """Words of somebody as an entry: in quotation marks where they are one line, else between fences, unchanged."""
    if "\n" not in text:
        return f'   - {label}"{text}"'
    return f"   - {label}in several lines:\n{fenced(text, 'text', '')}"


def cut_in_the_middle(text: str, most: int) -> str:
    """`text` within `most` bytes of UTF-8, its middle replaced by a mark that says how much is missing."""
    raw = text.encode()
    if len(raw) <= most:
        return text
    room = max(most - 48, 16)
    head = raw[: room * 2 // 3].decode(errors="ignore")
    tail = raw[len(raw) - room // 3 :].decode(errors="ignore")
    head = head[: _last_blank(head)].rstrip()
    tail = tail[_first_blank(tail) :].lstrip()
    return f"{head} […{len(text) - len(head) - len(tail):,} characters left out…] {tail}"


def _last_blank(text: str) -> int:
    found = max(text.rfind(" "), text.rfind("\n"))
    return found if found > len(text) * 3 // 4 else len(text)


def _first_blank(text: str) -> int:
    places = [p for p in (text.find(" "), text.find("\n")) if p >= 0]
    return min(places) if places and min(places) < len(text) // 4 else 0


def head_of(text: str, lines: int, most: int) -> str:
    """The first lines of a code text, at most so many lines and characters; the cut is marked on a line of its own."""
    given = dedent(clean(text).strip("\n")).split("\n")
    kept: list[str] = []
    room = most
    for line in given[:lines]:
        if len(line) > room and kept:
            break
        kept.append(line[:room])
        room -= len(line) + 1
        if room <= 0:
            break
    missing = len(given) - len(kept)
    return "\n".join([*kept, f"[… {missing:,} more lines]"] if missing else kept)


def clock(stamp: str | None) -> str:
    """`01-14 12:03` of an ISO time; "" without one."""
    return stamp[5:16].replace("T", " ") if stamp and len(stamp) >= 16 else ""


def stamped(stamp: str | None) -> str:
    """The same in parentheses and with a blank behind it, to stand in front of words."""
    at = clock(stamp)
    return f"({at}) " if at else ""
