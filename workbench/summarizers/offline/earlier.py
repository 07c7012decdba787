"""What an earlier summary in the rows says: it stands for everything before it, so what only it knows is carried on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...compaction.prompts import PROMPTS
from ...memory.template import SECTIONS as NOTE_SECTIONS
from ...memory.words import clean
from ..recorded import unwrapped
from .tags import untagged

_HEAD = re.compile(r"^\s{0,3}(?:#+\s*)?\**(?:\d+[.)]\s*)?\**\s*([A-Za-z][A-Za-z ,/&]+?)\s*\**\s*:?\s*\**\s*:?\s*$")
_HEAD_WITH_TEXT = re.compile(r"^\s{0,3}\d+[.)]\s*\**([A-Za-z][A-Za-z ,/&]+?)\**\s*:\**\s*(\S.*)$")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_MORE = re.compile(r"^\s*- … and [\d,]+ more$")
_NAMES = {s.name.casefold(): s.name for prompt in PROMPTS.values() for s in prompt.sections} | {
    name.casefold(): name for name in NOTE_SECTIONS
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """sections: text by name, of a summary or of notes; loose: the text of one that has no sections; "" where there is none."""

    sections: dict[str, str] = field(default_factory=dict)
    loose: str = ""

    def entries(self, *names: str) -> list[str]:
        """The entries of the sections of these names, in order, each with what belongs to it."""
        return [e for name in names for e in entries_of(self.sections.get(name, ""))]

    def __bool__(self) -> bool:
        return bool(self.sections or self.loose)


def read_earlier(summary: str) -> Earlier:
    """The text of a summary row, in its sections; `Earlier()` for "". Headings inside fences are none."""
    body = untagged(unwrapped(clean(summary)))
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line, inside in _with_fences(body):
        name, rest = ("", "") if inside else _heading(line)
        if name:
            lines = found.setdefault(name, [])
            lines += [f"   {rest}"] if rest else []
        elif lines is not None:
            lines.append(line)
    sections = {name: "\n".join(lines).strip("\n") for name, lines in found.items()}
    return Earlier({n: t for n, t in sections.items() if t.strip()}, "" if sections else body.strip())


def _heading(line: str) -> tuple[str, str]:
    """The name of the section that a line opens, and the text behind it on the same line."""
    found = _HEAD.match(line)
    if found:
        return _NAMES.get(found[1].casefold(), ""), ""
    found = _HEAD_WITH_TEXT.match(line)
    return (_NAMES.get(found[1].casefold(), ""), found[2]) if found else ("", "")


def entries_of(text: str) -> list[str]:
    """The entries of a section, in plain lines: a list's items with what is indented below, else its paragraphs."""
    entries: list[list[str]] = []
    for line, inside in _with_fences(text):
        if not inside and (not line.strip() or _MORE.match(line) or line.strip() == "None."):
            continue
        depth = len(line) - len(line.lstrip())
        starts = not inside and (depth <= 3 or not entries) and not (entries and _FENCE.match(line))
        if starts:
            entries.append([line.strip()])
        else:
            entries[-1].append(line.rstrip())
    return ["\n".join([re.sub(r"^(?:[-*•]|\d+[.)])\s+", "", first), *more]) for first, *more in entries]


def _with_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it stands inside a fence (the line that opens one does not)."""
    mark = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if mark:
            yield line, True
            if found and found[1].startswith(mark) and not line.strip().strip(mark[0]):
                mark = ""
        else:
            yield line, False
            mark = found[1] if found else ""
