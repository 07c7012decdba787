"""The summary that a session holds already: as if the model had given it again (spec 5, "Summarizers"; spec 2, section 6).

The row that carries it wraps it: words about the continuation in front, a way back to the transcript and an order to go
on behind. What the model wrote is taken out of that.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..compaction.request import EMPTY, ERROR, TOO_LONG, Reply, Request
from ..compaction.retry import SHORTER_PREFIX
from ..memory.words import text_of
from ..transcript.boundary import KIND, Boundary
from ..transcript.session import Session

LOOKED_AT = 64  # records behind a boundary among which its summary is looked for

_SUMMARY = re.compile(r"^Summary:[ \t]*\n?", re.MULTILINE)
_ANALYSIS = re.compile(r"^Analysis:[ \t]*\n?", re.MULTILINE)
_FRONT = re.compile(
    r"\A(?:This session (?:is being continued|goes on) from [^\n]*|The conversation up to here no longer fits [^\n]*)\n*"
)
_REMINDER = re.compile(r"^<system-reminder>.*?</system-reminder>\n*", re.DOTALL | re.MULTILINE)
_ORDERS = re.compile(
    r"\n+(?:Please continue the conversation|Continue the conversation from where|Go on from|Take up the work at"
    r"|The newest messages were kept|The messages after this summary)[^\n]*\Z"
)
_WAY_BACK = re.compile(r"\n(?=\S[^\n]*transcript[^\n]*\.jsonl)[^\n]*(?:\n[^\n]*){0,10}\Z")  # and all that stands behind it


@dataclass(frozen=True, slots=True)
class Recorded:
    """A summary on disk: `text` is what the model wrote, as well as it can be told; `line` that of its row."""

    text: str
    line: int | None
    boundary: Boundary


def recorded_summary(session: Session, line: int | None = None) -> Recorded | None:
    """The summary of the first boundary at or after a line (None: of the first of all); None where there is none."""
    for boundary in session.boundaries:
        if line is None or boundary.line >= line:
            return _of(session, boundary)
    return None


@dataclass(frozen=True, slots=True)
class RecordedSummarizer:
    """The summarizer that gives it, whatever is asked; without a summary it fails and says so.

    Where a request that is too long is answered by a shorter prefix, it is too long while it covers rows that the recorded
    compaction kept: the agent's own request was made shorter until it no longer held them (spec 6, section 2).
    """

    session: Session
    line: int | None = None

    def __call__(self, request: Request) -> Reply:
        found = recorded_summary(self.session, self.line)
        if found is not None and request.retry == SHORTER_PREFIX and found.boundary.trigger == "auto":
            kept = {*found.boundary.kept_uuids, found.boundary.head, found.boundary.tail}
            if any(row.uuid in kept for row in request.covers if row.role is not None):
                return Reply(TOO_LONG, error=f"too long: the boundary in line {found.boundary.line} keeps rows that it covers")
        return reply_of(self.session, self.line)


def reply_of(session: Session, line: int | None = None) -> Reply:
    """The recorded summary as a reply; outcome `error` where no boundary follows, or none with a summary."""
    where = "the session" if line is None else f"line {line}"
    after = "in" if line is None else "at or after"
    if not any(line is None or b.line >= line for b in session.boundaries):
        return Reply(
            ERROR, error=f"There is no recorded summary {after} {where}: no boundary follows; choose another summarizer."
        )
    found = recorded_summary(session, line)
    if found is None:
        return Reply(ERROR, error=f"The boundary {after} {where} has no summary row; choose another summarizer.")
    if not found.text.strip():
        return Reply(EMPTY, error=f"The recorded summary in line {found.line} is empty.")
    return Reply(text=found.text, source=f"recorded, line {found.line}")


def _of(session: Session, boundary: Boundary) -> Recorded | None:
    for place in range(boundary.place, min(boundary.place + LOOKED_AT, len(session.index))):
        if place > boundary.place and session.index.kind(place) == KIND:
            return None  # the next boundary has come
        row = session.row(place)
        if row.is_summary:
            return Recorded(unwrapped("\n".join(map(text_of, row.blocks))), row.line, boundary)
    return None


def unwrapped(text: str) -> str:
    """What the model wrote, from the text of a summary row: with the tags that the agent took out, where it left traces."""
    text = _FRONT.sub("", text.replace("\r\n", "\n").lstrip())
    text = _REMINDER.sub("", text, count=1) if text.startswith("<system-reminder>") else text
    text = _WAY_BACK.sub("", text.rstrip())
    while (found := _ORDERS.search(text)) is not None:
        text = text[: found.start()].rstrip()
    return "\n\n".join(_tagged(text.strip()))


def _tagged(text: str) -> Iterator[str]:
    found = _SUMMARY.search(text)
    if found is None:
        yield text
        return
    before, body = text[: found.start()], text[found.end() :].strip()
    analysis = _ANALYSIS.match(before.lstrip())
    if analysis:
        yield f"<analysis>\n{before.lstrip()[analysis.end() :].strip()}\n</analysis>"
    elif before.strip():
        yield before.strip()
    yield f"<summary>\n{body}\n</summary>"
