"""The message with which a compacted conversation goes on, for notes and for summaries alike (spec 1, section 8.4)."""

OPENING = (
    "The conversation up to here no longer fits the context window. What follows stands in for it, so that the work can continue."
)
TRANSCRIPT = (
    "Every earlier message, with exact code, output and wording, is still in the transcript; "
    "read it there if a detail is missing: {path}"
)
TAIL = "The newest messages were kept; they follow word for word."
GO_ON = (
    "Take up the work at the point where it stopped. Ask nothing first, do not mention this message, "
    "and do not repeat what it says."
)


def continuation(summary: str, transcript: str | None, *, tail_follows: bool, go_on: bool) -> str:
    """The text of the user message that carries a summary or notes.

    transcript    path of the session file, the way back to whatever was lost; None where there is none
    tail_follows  kept rows follow this message
    go_on         for auto and reactive compactions, and manual ones of new versions
    """
    parts = [OPENING, summary.strip()]
    if transcript:
        parts.append(TRANSCRIPT.format(path=transcript))
    if tail_follows:
        parts.append(TAIL)
    if go_on:
        parts.append(GO_ON)
    return "\n\n".join(parts)
