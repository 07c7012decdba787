"""What a run needs from outside, and what came back: a stage returns a Request, the shell brings the Reply.

Same replies, same run: so every compaction replays offline.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from ..conversation.figure import Figure
from ..conversation.row import Message, Row

SUMMARY, FILES, HOOK, EXTRACTION = "summary", "files", "hook", "extraction"
OK, TOOL_CALL, EMPTY, TRUNCATED, TOO_LONG, ERROR, CANCELLED = (
    "ok",
    "tool call",
    "empty",
    "truncated",
    "too long",
    "error",
    "cancelled",
)
OUTCOMES = (OK, TOOL_CALL, EMPTY, TRUNCATED, TOO_LONG, ERROR, CANCELLED)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to the outside.

    key            identifies what is asked (`key_of`): an answer is stored under it, and never taken for that of another question
    purpose        in words, for people
    messages       for a summary: the array sent, the instruction as its last user message included
    prompt         the instruction alone
    covers         the rows that the summary will stand for; with a kept prefix fewer than are shown
    retry          what an answer "too long" would bring: drop-oldest | shorter-prefix
    max_tokens     of the reply
    shared_prefix  the conversation goes out unchanged, so that the prompt cache hits; False: the plain fallback
    paths          for files: absolute paths wanted, in order
    tokens         of the prompt, overhead included where it is known
    """

    kind: str
    key: str
    purpose: str
    messages: tuple[Message, ...] = ()
    prompt: str = ""
    model: str = ""
    max_tokens: int = 0
    shared_prefix: bool = True
    paths: tuple[str, ...] = ()
    tokens: Figure | None = None
    covers: tuple[Row, ...] = ()
    retry: str = ""


def key_of(kind: str, parts: Iterable[object]) -> str:
    """The key of a question that these parts make: the same parts, the same key."""
    return f"{kind}:{sha256(repr(tuple(parts)).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a model reported for one reply."""

    prompt: int
    output: int


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: the raw text of a model or a hook, or the contents of files; `error` says what went wrong.

    files  {path: content}; of an extraction: its `notes` and the uuid of their `last_summarized` row
    """

    outcome: str = OK
    text: str = ""
    stop_reason: str | None = None
    error: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    usage: Usage | None = None
    duration_ms: int | None = None
    source: str = ""
