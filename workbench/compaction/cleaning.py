"""From the reply of the summarizer to the summary (spec 1, section 6.6; there: formatCompactSummary)."""

import re
from dataclasses import dataclass

from .settings import Settings

OK, TOOL_CALL, EMPTY, TRUNCATED = "ok", "tool call", "empty", "truncated"
TOO_LONG, ERROR = "too long", "error"  # outcomes of a request that gave no reply at all
MAX_TOKENS = "max_tokens"

_OPEN_ANALYSIS = re.compile(r"<analysis>", re.IGNORECASE)
_CLOSE_ANALYSIS = re.compile(r"</analysis>", re.IGNORECASE)
_OPEN_SUMMARY = re.compile(r"<summary>", re.IGNORECASE)
_CLOSE_SUMMARY = re.compile(r"</summary>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A reply after cleaning.

    outcome  ok | tool call | empty | truncated: what is counted for each model
    text     the summary; "" unless ok
    reasons  a sentence for each thing that was done, or the one that says why it failed
    """

    outcome: str
    text: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.outcome != OK


def clean(reply: str, settings: Settings, *, stop_reason: str | None = None, called_tool: bool = False) -> Cleaned:
    """The summary in a reply, or why there is none."""
    if called_tool:
        return Cleaned(TOOL_CALL, reasons=("The model called a tool instead of writing the summary; the only turn is lost.",))
    if stop_reason == MAX_TOKENS:
        return Cleaned(TRUNCATED, reasons=("The summary was cut off at max_tokens; a part of it must not replace the whole.",))
    text, reasons = _as_is(reply) if _is_kept_as_is(reply, settings) else _without_tags(reply)
    if not text:
        return Cleaned(EMPTY, reasons=(*reasons, "Nothing is left of the reply: there is no summary in it."))
    return Cleaned(OK, text, tuple(reasons))


def _is_kept_as_is(reply: str, settings: Settings) -> bool:
    return settings.text("untaggedSummary") == "as-is" and not _OPEN_SUMMARY.search(reply)


def _as_is(reply: str) -> tuple[str, list[str]]:
    return reply.strip(), ["There is no <summary> in the reply: it is taken as it is."]


def _without_tags(reply: str) -> tuple[str, list[str]]:
    reasons: list[str] = []
    text = _drop_analysis(reply, reasons)
    opened = _OPEN_SUMMARY.search(text)
    if opened is None:
        reasons.append("There is no <summary> in the reply: what is left of it is taken.")
        return text.strip(), reasons
    closed = _CLOSE_SUMMARY.search(text, opened.end())
    if closed is None:
        reasons.append("<summary> is not closed: it is taken up to the end.")
    inside = text[opened.end() : closed.start() if closed else len(text)].strip()
    before, behind = text[: opened.start()], _drop_analysis(text[closed.end() :], reasons) if closed else ""
    if not (inside or before.strip() or behind.strip()):
        return "", reasons
    return f"{before}Summary:\n{inside}{behind}".strip(), reasons


def _drop_analysis(text: str, reasons: list[str]) -> str:
    """Without each <analysis> in front of the first <summary>; a summary that mentions the tag keeps its words."""
    while (opened := _OPEN_ANALYSIS.search(text)) is not None:
        summary = _OPEN_SUMMARY.search(text)
        if summary is not None and summary.start() < opened.start():
            return text
        end = _end_of_analysis(text, opened.end())
        reasons.append(f"<analysis> is dropped: {end - opened.start():,} characters.")
        text = text[: opened.start()] + text[end:]
    return text


def _end_of_analysis(text: str, start: int) -> int:
    """Where an analysis ends: behind its closing tag; without one, at the summary, else at the end of the text."""
    closed, summary = _CLOSE_ANALYSIS.search(text, start), _OPEN_SUMMARY.search(text, start)
    if closed is None:
        return len(text) if summary is None else summary.start()
    if summary is None or closed.start() < summary.start() or _OPEN_SUMMARY.search(text, closed.end()):
        return closed.end()
    quoted = _CLOSE_SUMMARY.search(text, closed.end())  # the tag stands inside the summary, as a quotation
    return summary.start() if quoted else closed.end()
