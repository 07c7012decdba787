"""What stood in a context before a compaction and may be missed after it, by class and risk (spec 1, section 12)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..conversation.row import ASSISTANT, USER, Row
from ..memory.offline.facts import OK
from ..memory.offline.gather import gather
from ..memory.offline.rules import is_correction, rules
from ..memory.offline.speech import refusal
from ..memory.words import one_line, text_of
from ..summarizers.offline.edits import edited_files
from ..summarizers.offline.todos import todos
from ..summarizers.offline.voices import REFUSAL, REQUEST, Voice, voices

HIGH, MEDIUM, LOW = "high", "medium", "low"
RULE, CORRECTION, REFUSED_CALL, DECISION, ATTEMPT = "rule", "correction", "refusal", "decision", "abandoned-attempt"
NEWEST, EARLY_EDIT, TODO, FAILURE = "newest-message", "early-edit", "todo", "error"
ASKED, WORK, FILE = "request", "current-work", "file"
RISKS = {
    RULE: HIGH, CORRECTION: HIGH, REFUSED_CALL: HIGH, DECISION: HIGH, ATTEMPT: HIGH, NEWEST: HIGH,
    EARLY_EDIT: MEDIUM, TODO: MEDIUM, FAILURE: MEDIUM, ASKED: LOW, WORK: LOW, FILE: LOW,
}  # fmt: skip
MOST = 400  # characters of an item's text
NOTHING_ASKED = "No response requested."  # what the agent itself writes on resuming

QUOTES = ('"', "“", ">", "`")  # pasted, not said

_NAVIGATION = re.compile(r"\bmore questions\b|\bnext area\b", re.IGNORECASE)  # asked by the agent to find its way
_TAG = re.compile(r"</?[a-z_]{3,30}>")


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that was said or done: its class, its words, and the rows it stands in (the first tells the line).

    path  the file that it is about; "" for others
    """

    kind: str
    text: str
    rows: tuple[Row, ...]
    path: str = ""

    @property
    def risk(self) -> str:
        return RISKS[self.kind]

    @property
    def line(self) -> int | None:
        return self.rows[0].line if self.rows else None


def items_of(rows: Sequence[Row]) -> tuple[Told, ...]:
    """Everything that is looked for in the rows of an array, in the order of the classes; same rows, same items."""
    spoken = [(row, voice) for row in rows if row.role == USER and not row.is_summary for voice in voices((row,))]
    found = [
        *_said(spoken),
        *_decided(rows),
        *_attempts(rows),
        *_edited(rows),
        *(Told(TODO, one_line(t.text, MOST), _at(rows, t.touched)) for t in todos(rows) if t.is_open),
        *_failures(rows),
        *_work(rows),
    ]
    unique = {(told.kind, told.text): told for told in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda t: (list(RISKS).index(t.kind), t.line or 0)))


def _said(spoken: Sequence[tuple[Row, Voice]]) -> Iterator[Told]:
    requests = [(row, voice) for row, voice in spoken if voice.kind == REQUEST and voice.text.strip()]
    for place, (row, voice) in enumerate(requests):
        text = voice.text.strip()
        is_newest = place == len(requests) - 1
        yield from (Told(RULE, rule, (row,)) for rule in rules(text) if not rule.startswith(QUOTES))
        if place and is_correction(text):
            yield Told(CORRECTION, one_line(text, MOST), (row,))
        yield Told(NEWEST if is_newest else ASKED, one_line(text, MOST), (row,))
    yield from (Told(REFUSED_CALL, one_line(v.text, MOST), (row,)) for row, v in spoken if v.kind == REFUSAL and v.text.strip())


def _decided(rows: Sequence[Row]) -> Iterator[Told]:
    for decision in gather(rows).decisions:
        if _NAVIGATION.search(decision.question):
            continue
        words = one_line(f"{decision.question} {decision.answer}", MOST)
        yield Told(DECISION, words, _with(rows, decision.answer))


def _attempts(rows: Sequence[Row]) -> Iterator[Told]:
    """What was tried and given up: an edit that failed, or that a later one of the same place took back."""
    for file in edited_files(rows):
        later: set[str] = set()
        for edit in file.edits:  # newest first
            undone = any(before and before in later for before, _ in edit.pieces)
            if undone and edit.outcome == OK:
                first = next((before for before, _ in edit.pieces if before), "")
                yield Told(ATTEMPT, one_line(f"{file.path}: {first}", MOST), _at(rows, edit.order), file.path)
            later |= {after for _, after in edit.pieces if after.strip()}


def _edited(rows: Sequence[Row]) -> Iterator[Told]:
    for file in edited_files(rows):
        if not file.good:
            continue
        yield Told(FILE, file.path, _at(rows, file.good[0].order), file.path)
        if len(file.good) > 1:
            first = file.good[-1]
            words = next((after for _, after in first.pieces if after.strip()), "")
            yield Told(EARLY_EDIT, one_line(f"{file.path}: {words}", MOST), _at(rows, first.order), file.path)


def _failures(rows: Sequence[Row]) -> Iterator[Told]:
    for row in rows:
        for block in row.blocks:
            if block.kind == "tool_result" and block.error and refusal(text_of(block)) is None:
                words = one_line(_TAG.sub("", text_of(block)), 160)
                if words:
                    yield Told(FAILURE, words, (row,))


def _work(rows: Sequence[Row]) -> Iterator[Told]:
    """The assistant's last words: what was being done."""
    for row in reversed(rows):
        words = " ".join(text_of(b) for b in row.blocks if b.kind == "text" and not b.blank)
        if row.role == ASSISTANT and words and words != NOTHING_ASKED:
            yield Told(WORK, one_line(words, MOST), (row,))
            return


def _at(rows: Sequence[Row], place: int) -> tuple[Row, ...]:
    return (rows[place],) if 0 <= place < len(rows) else ()


def _with(rows: Sequence[Row], words: str) -> tuple[Row, ...]:
    """The newest row that holds some words."""
    return next(((row,) for row in reversed(rows) if any(words in text_of(b) for b in row.blocks)), ())
