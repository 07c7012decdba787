"""Changing the text of a section, and telling when more than the text of sections was changed (spec 1, section 8.1)."""

from collections.abc import Iterator
from dataclasses import dataclass

from .notes import Notes, Section, parse


def with_body(notes: Notes, title: str, text: str) -> Notes:
    """The notes with another text in one section; headings, instruction lines and every other byte stay.

    `text` comes without blanks around; its line ends become the file's. Raises KeyError for an unknown section.
    """
    section = notes.find(title)
    if section is None:
        raise KeyError(title)
    end = notes.newline
    pieces = [notes.preamble]
    for other in notes.sections:
        last = other is notes.sections[-1]
        pieces += [other.heading, other.instruction, _body(other, text, end, last) if other is section else other.body]
    return parse("".join(pieces), notes.budgets)


def _body(section: Section, text: str, end: str, last: bool) -> str:
    text = end.join(text.strip().replace("\r\n", "\n").split("\n"))
    before = "" if section.instruction.endswith("\n") else end
    if not text:
        return before or end
    if section.text:
        start = section.body.index(section.text)
        return section.body[:start] + text + section.body[start + len(section.text) :]
    return before + end + text + (end if last else end + end)


@dataclass(frozen=True, slots=True)
class Touched:
    """A heading or an instruction line that an edit changed. kind: "renamed" | "gone" | "added" | "instruction" | "order"."""

    kind: str
    title: str
    sentence: str


def touched(before: Notes, after: Notes) -> tuple[Touched, ...]:
    """What an edit changed beside the text of sections: the lines that nobody edits."""
    return tuple(_touched(before, after))


def _touched(before: Notes, after: Notes) -> Iterator[Touched]:
    now = {s.title: s for s in after.sections}
    was = {s.title: s for s in before.sections}
    renamed: set[str] = set()
    for old in before.sections:
        new = now.get(old.title)
        if new is None:
            other = next((s for s in after.sections if s.title not in was and s.instruction == old.instruction), None)
            if other is None:
                sentence = f"The section {old.title} is gone: its heading or its instruction line was changed."
                yield Touched("gone", old.title, sentence)
            else:
                renamed.add(other.title)
                sentence = f"The heading {old.title} now reads {other.title}; extraction looks for the old one."
                yield Touched("renamed", old.title, sentence)
        elif new.instruction.strip() != old.instruction.strip():
            sentence = f"The instruction line of {old.title} was changed; it belongs to the template."
            yield Touched("instruction", old.title, sentence)
    for new in after.sections:
        if new.title not in was and new.title not in renamed:
            yield Touched("added", new.title, f"{new.title} is a new section: a # line right before an italic line makes one.")
    common_before = [t for t in before.titles if t in now]
    common_after = [t for t in after.titles if t in was]
    if common_before != common_after:
        yield Touched("order", "", "The sections stand in another order than in the saved notes.")


def same_frame(before: Notes, after: Notes) -> bool:
    """Whether headings, instruction lines and preamble are the same, character by character, and no fence swallows them."""
    return before.preamble == after.preamble and before.open_fence == after.open_fence and _frame(before) == _frame(after)


def _frame(notes: Notes) -> list[tuple[str, str]]:
    return [(s.heading, s.instruction.strip()) for s in notes.sections]


def changed_sections(before: Notes, after: Notes) -> tuple[str, ...]:
    """Titles of the sections whose text differs, in the order of `after`."""
    was = {s.title: s.text for s in before.sections}
    return tuple(s.title for s in after.sections if was.get(s.title) != s.text)
