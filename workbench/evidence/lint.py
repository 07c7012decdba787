"""What is wrong with a summary as a text, whatever it was made from (spec 1, section 6; users: "Lint of the summary")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..compaction.prompts import sections as names
from ..conversation.text import rough, utf8_length
from ..memory.offline.inherited import summary_sections
from ..summarizers.offline.tags import untagged

MUST = (
    (names.REQUEST,),
    (names.USER_MESSAGES,),
    (names.CURRENT_WORK, names.WORK_COMPLETED),
    (names.NEXT_STEP, names.CONTEXT),
)
LARGEST = 20_000  # tokens that are reserved for a summary
WHOLE = 0.3  # of the letters of one kind of script: then a text is written in it
ENDS = tuple(".!?:;)]}>`\"'*_…。！？」』”’|")


@dataclass(frozen=True, slots=True)
class Lint:
    """One remark: its kind, and a sentence that says what to do or to look at."""

    kind: str
    sentence: str


def lint(summary: str, spoken: Sequence[str]) -> tuple[Lint, ...]:
    """Remarks on a summary; `spoken` is what the user said before it."""
    if not summary.strip():
        return (Lint("empty", "There is no summary text."),)
    return tuple(_lint(summary, spoken))


def _lint(summary: str, spoken: Sequence[str]) -> Iterator[Lint]:
    known = {section.name.casefold(): section.name for section in (*names.NINE, *names.FOLLOWED)}
    sections = {known.get(title, title): text for title, text in summary_sections(untagged(summary)).items()}
    if not sections:
        yield Lint("no-sections", "The summary has none of the nine sections: nothing says where to look for what.")
    else:
        for either in MUST:
            if not any(name in sections for name in either):
                yield Lint("missing-section", f"The section {' or '.join(either)} is missing: it must be kept.")
        for name, text in sections.items():
            if not text.strip(" -*\n"):
                yield Lint("empty-section", f"The section {name} is empty.")
    if "<analysis>" in summary or "</analysis>" in summary:
        yield Lint("analysis-left", "The analysis was not taken out of the summary: it is sent in every call from here on.")
    tokens = rough(utf8_length(summary))
    if tokens > LARGEST:
        yield Lint("too-long", f"The summary has about {tokens:,} tokens (rough); {LARGEST:,} are reserved for one.")
    if summary.count("```") % 2:
        yield Lint("cut-off", "A code block is never closed: the summary was cut off there, or what follows is read as code.")
    elif not summary.rstrip().endswith(ENDS):
        yield Lint("cut-off", f"The summary ends in the middle of a sentence: “…{summary.rstrip()[-60:]}”.")
    step = sections.get(names.NEXT_STEP, "")
    if step.strip() and not any(mark in step for mark in ('"', "“", "'", "`", "「", "»", "«")):
        yield Lint("no-quote", "The next step quotes nothing: without the words of the task it can drift.")
    theirs, ours = _script("\n".join(spoken)), _script(summary)
    if theirs and ours and theirs != ours:
        yield Lint(
            "language", f"The user writes in {theirs} script, the summary is in {ours}: the next replies may change language."
        )


def _script(text: str) -> str:
    """Latin, Cyrillic or CJK, where a text is clearly written in it; "" otherwise."""
    letters = [c for c in text if c.isalpha()]
    if len(letters) < 40:
        return ""
    counts = {
        "CJK": sum("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in letters),
        "Cyrillic": sum("\u0400" <= c <= "\u04ff" for c in letters),
    }
    name, count = max(counts.items(), key=lambda item: item[1])
    return name if count > len(letters) * WHOLE else "Latin"
