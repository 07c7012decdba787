"""The notes of a session as sections, so that each can be measured and edited while the rest keeps its bytes.

Spec 1, section 8.1. Any template is accepted: what makes a section is a `# ` line, outside fences, right before an
italic line; nothing here depends on the names of the ten sections.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conversation.text import rough, utf8_length

_ITALIC = re.compile(r"\s*(?:_[^_\s](?:.*[^_\s])?_|\*[^*\s](?:.*[^*\s])?\*)\s*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


@dataclass(frozen=True, slots=True)
class Budgets:
    """Rough tokens that notes may have: one section, and the whole file."""

    section: int = 2_000
    total: int = 12_000


@dataclass(frozen=True, slots=True)
class Section:
    """One section; `heading`, `instruction` and `body` are its exact characters, line ends included.

    tokens   rough tokens of the body without the blanks around it
    allowed  tokens a section may have
    """

    title: str
    heading: str
    instruction: str
    body: str
    tokens: int
    allowed: int

    @property
    def text(self) -> str:
        """What was written into it, without the blanks around; "" for an empty section."""
        return self.body.strip()

    @property
    def hint(self) -> str:
        """The instruction line without its italic marks."""
        return self.instruction.strip()[1:-1].strip()

    @property
    def over_budget(self) -> bool:
        return self.tokens > self.allowed


@dataclass(frozen=True, slots=True)
class Notes:
    """A notes file. `preamble` is what stands before the first section; `tokens` are rough tokens of the whole text."""

    preamble: str
    sections: tuple[Section, ...]
    tokens: int
    budgets: Budgets
    open_fence: bool = False  # a fence is never closed: headings behind it do not count

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(s.title for s in self.sections)

    @property
    def over_budget(self) -> bool:
        """Whether the whole is larger than allowed; a single section says so itself."""
        return self.tokens > self.budgets.total

    @property
    def too_long(self) -> tuple[str, ...]:
        """Titles of the sections that are over their budget."""
        return tuple(s.title for s in self.sections if s.over_budget)

    @property
    def newline(self) -> str:
        """The line end that the file uses."""
        return "\r\n" if "\r\n" in render(self) else "\n"

    def find(self, title: str) -> Section | None:
        """The first section of that title, whatever the case of its letters."""
        wanted = title.strip().casefold()
        return next((s for s in self.sections if s.title.casefold() == wanted), None)


def parse(text: str, budgets: Budgets = Budgets()) -> Notes:
    """The notes of a text; `render(parse(text)) == text` for every text."""
    lines = _lines(text)
    starts, open_fence = _headings(lines)
    ends = [*starts[1:], len(lines)] if starts else []
    sections = tuple(_section(lines[start:end], budgets.section) for start, end in zip(starts, ends, strict=True))
    preamble = "".join(lines[: starts[0]] if starts else lines)
    return Notes(preamble, sections, rough(utf8_length(text)), budgets, open_fence)


def render(notes: Notes) -> str:
    """The text of notes: exactly what was read, where nothing was edited."""
    return notes.preamble + "".join(s.heading + s.instruction + s.body for s in notes.sections)


@dataclass(frozen=True, slots=True)
class NotesState:
    """What notes are worth at a moment.

    name        "missing" | "empty" | "template" | "ok" | "stale" (spec 5, `notes`)
    reason      a sentence for the user
    too_long    titles of sections over their budget
    over_total  whether the whole is over its budget
    """

    name: str
    reason: str
    too_long: tuple[str, ...] = ()
    over_total: bool = False

    @property
    def over_budget(self) -> bool:
        return self.over_total or bool(self.too_long)


def state(
    notes: Notes | None, covered: float | None = None, newest: float | None = None, template: Notes | None = None
) -> NotesState:
    """The state of notes; None: there is no file.

    covered   time of the newest row that the notes cover, in seconds since the epoch: their last write, or the time of
              the last-summarized row where it is recorded; None: not known, then nothing is called stale
    newest    time of the newest row of the session, likewise
    template  the template they were made from, where it holds text of its own
    """
    if notes is None:
        return NotesState("missing", "There is no notes file for this session.")
    if not render(notes).strip():
        return NotesState("empty", "The notes file is empty.")
    if not notes.sections and all(line.startswith("#") for line in notes.preamble.splitlines() if line.strip()):
        return NotesState("empty", "The notes hold headings without a word below them.")
    if is_bare(notes, template):
        return NotesState("template", "The notes hold the template only: no section has text yet.")
    over = (notes.too_long, notes.over_budget)
    if covered is not None and newest is not None and newest > covered:
        return NotesState("stale", "The session has rows that are newer than its notes.", *over)
    return NotesState("ok", "The notes cover the session up to its newest row.", *over)


def is_bare(notes: Notes, template: Notes | None = None) -> bool:
    """Whether nothing was written into the sections, or nothing beyond what the template holds itself."""
    given = {s.title: s.text for s in template.sections} if template else {}
    preamble = template.preamble.strip() if template else ""
    if notes.preamble.strip() not in ("", preamble):
        return False
    return all(s.text in ("", given.get(s.title, "")) for s in notes.sections)


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a newline ends one, since other separators may stand within a line."""
    pieces = text.split("\n")
    return [f"{p}\n" for p in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def _headings(lines: Sequence[str]) -> tuple[list[int], bool]:
    """Places of the headings, and whether a fence stays open to the end."""
    found: list[int] = []
    fence = ""
    for place, (line, fence) in enumerate(_with_fences(lines)):
        if fence or not line.startswith("# ") or not line[2:].strip():
            continue
        if place + 1 < len(lines) and _ITALIC.fullmatch(lines[place + 1]):
            found.append(place)
    return found, bool(fence)


def _with_fences(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each line, and the mark of the fence that is open behind it."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif mark and fence and mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
        yield line, fence


def open_fence(text: str) -> str:
    """The mark of the fence that a text leaves open; "" where it leaves none."""
    fence = ""
    for _, mark in _with_fences(_lines(text)):
        fence = mark
    return fence


def _section(lines: Sequence[str], allowed: int) -> Section:
    heading, instruction, body = lines[0], lines[1], "".join(lines[2:])
    return Section(heading[2:].strip(), heading, instruction, body, rough(utf8_length(body.strip())), allowed)
