"""Whether a compaction from notes is possible, each condition with its own reason (spec 1, section 5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conversation.row import Row
from ..conversation.wording import counted
from .notes import Notes, is_bare, render


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: `holds` when it stands in the way; `reason` says so, or says what was found."""

    name: str
    holds: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Availability:
    """All conditions in their order; the first that holds decides."""

    conditions: tuple[Condition, ...]

    @property
    def deciding(self) -> Condition | None:
        return next((c for c in self.conditions if c.holds), None)

    @property
    def is_available(self) -> bool:
        return self.deciding is None

    @property
    def reason(self) -> str:
        deciding = self.deciding
        return deciding.reason if deciding else "Session memory is available: nothing stands in its way."


def availability(
    rows: Sequence[Row],
    notes: Notes | None,
    *,
    enabled: bool = True,
    template: Notes | None = None,
    last_summarized: str | None = None,
    instructions: str = "",
    partial: bool = False,
) -> Availability:
    """The conditions of section 5.1, all evaluated.

    notes            None: no file
    template         the template of the notes, where it holds text of its own
    last_summarized  uuid recorded by the extractor; None: not recorded
    instructions     custom instructions, the text of PreCompact hooks included
    partial          only a part of the conversation is to be compacted
    """
    empty = notes is not None and not render(notes).strip()
    bare = notes is not None and not empty and is_bare(notes, template)
    lost = last_summarized is not None and all(row.uuid != last_summarized for row in rows)
    sent = sum(row.role is not None for row in rows)
    return Availability(
        (
            _condition("off", not enabled, "Session memory is switched off.", "Session memory is switched on."),
            _condition("no notes file", notes is None, "There is no notes file for this session.", "There is a notes file."),
            _condition("empty", empty, "The notes file is empty.", "The notes file is not empty."),
            _condition("bare template", bare, "The notes hold the template only.", "The notes hold more than the template."),
            _condition(
                "last-summarized row missing",
                lost,
                f"The last-summarized row {last_summarized} is not in the array, so nobody knows what the notes cover.",
                "No last-summarized row is recorded." if last_summarized is None else "The last-summarized row is in the array.",
            ),
            _condition(
                "custom instructions",
                bool(instructions.strip()),
                "Custom instructions are given (or hook text, which counts as such); notes cannot follow them.",
                "There are no custom instructions.",
            ),
            _condition(
                "partial range",
                partial,
                "Only a part of the conversation is to be compacted.",
                "The whole conversation is to be compacted.",
            ),
            _condition(
                "one row only",
                sent <= 1,
                f"{counted(sent, 'row')} in the array: there is nothing to compact.",
                f"{counted(sent, 'row')} in the array.",
            ),
        )
    )


def _condition(name: str, holds: bool, yes: str, no: str) -> Condition:
    return Condition(name, holds, yes if holds else no)
