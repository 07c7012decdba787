"""One content block of a message, with the facts that lists and checks need measured once, when it is read.

A block may be slim: its body dropped, its facts kept. So a list of 100,000 messages stays small and one checker
serves the whole block and the slim one alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .image import Image, image_of
from .text import compact_json, rough, text_pieces, utf8_length

Json: TypeAlias = Mapping[str, Any]

HEAD = 200  # characters of a block's text kept for lists
UNTYPED = "unknown"  # what stands among the blocks and names no type: shown, never sent
REMINDER = "<system-reminder>"

SERVER_CALLS = ("server_tool_use",)
TELLING = ("command", "file_path", "path", "pattern", "url", "query", "skill", "description")  # of a call's input, best first
KNOWN = frozenset(
    [
        "text",
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "image",
        "document",
        "server_tool_use",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "tool_search_tool_result",
        "mcp_tool_use",
        "mcp_tool_result",
        "container_upload",
        "compaction",
        "search_result",
        "advisor_tool_result",
        "tool_reference",
        "fallback",
    ]
)


@dataclass(frozen=True, slots=True)
class Block:
    """A content block.

    kind    its `type`; `attachment:<type>` or `reminder` for what an attachment adds
    call    the id of the call (tool_use) or of the call it answers (tool_result); "" elsewhere
    name    the tool's name for a call
    size    bytes of its text in UTF-8, as counted by `rough`
    tokens  rough tokens, images included
    head    the first characters of its text, for lists
    body    the JSON that is sent; None when slim
    """

    kind: str
    call: str = ""
    name: str = ""
    error: bool = False
    size: int = 0
    tokens: int = 0
    head: str = ""
    blank: bool = False
    images: tuple[Image, ...] = ()
    body: Json | None = None

    @property
    def is_server(self) -> bool:
        """A call that the API answers within the same assistant message."""
        return self.kind in SERVER_CALLS

    @property
    def is_server_result(self) -> bool:
        """The answer to a server call: any `*_tool_result` but the client's."""
        return self.kind.endswith("_tool_result") and self.kind != "mcp_tool_result"

    def slim(self) -> "Block":
        """The same facts without the body."""
        return Block(self.kind, self.call, self.name, self.error, self.size, self.tokens, self.head, self.blank, self.images)


def read_block(body: Json) -> Block:
    """Measures one block as it stands in a message's `content` list."""
    kind = body.get("type")
    if not isinstance(kind, str):
        return Block(UNTYPED, head=compact_json(body)[:HEAD], body=body)
    measure = _MEASURES.get(kind)
    if measure is not None:
        return measure(kind, body)
    if kind.endswith("_tool_result"):
        return _result(kind, body)
    if kind.endswith("tool_use"):
        return _call(kind, body)
    return Block(kind, head=compact_json(body)[:HEAD], body=body)


def id_of(value: object) -> str:
    """The id of a call as it is compared and shown; one that is no string is another than the string that looks like it."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{compact_json(value)[:HEAD]} (no string)"


def call_words(head: str) -> str:
    """The value that tells most of a call's input, from the first characters of its JSON."""
    for field in TELLING:
        _, found, rest = head.partition(f'"{field}":"')
        if found:
            end = rest.find('"')
            while end > 0 and rest[end - 1] == "\\":
                end = rest.find('"', end + 1)
            return (rest if end < 0 else rest[:end]).replace("\\n", " ").replace('\\"', '"')
    return head


def text_block(text: str, kind: str = "text") -> Block:
    """A text block made here, `kind` as in `Block`; its body is a plain text block."""
    size = utf8_length(text)
    return Block(
        kind, size=size, tokens=rough(size), head=text[:HEAD], blank=not text.strip(), body={"type": "text", "text": text}
    )


def read_content(content: object) -> tuple[Block, ...]:
    """The blocks of a message's `content`: a string is one text block, null none (spec 2, section 12)."""
    if isinstance(content, str):
        return (text_block(content),)
    if isinstance(content, Sequence):
        return tuple(read_block(b) if isinstance(b, Mapping) else Block(UNTYPED, head=compact_json(b)[:HEAD]) for b in content)
    return ()


def _text(kind: str, body: Json) -> Block:
    text = body.get("text")
    text = text if isinstance(text, str) else ""
    size = utf8_length(text)
    return Block(kind, size=size, tokens=rough(size), head=text[:HEAD], blank=not text.strip(), body=body)


def _thinking(kind: str, body: Json) -> Block:
    text = body.get("thinking") or body.get("data")
    text = text if isinstance(text, str) else ""
    size = utf8_length(text)
    return Block(kind, size=size, tokens=rough(size), head=text[:HEAD], body=body)


def _call(kind: str, body: Json) -> Block:
    given = compact_json(body.get("input", {}))
    name = str(body.get("name") or "")
    size = utf8_length(name) + utf8_length(given)
    return Block(kind, call=id_of(body.get("id")), name=name, size=size, tokens=rough(size), head=given[:HEAD], body=body)


def _result(kind: str, body: Json) -> Block:
    content = body.get("content")
    texts = text_pieces(content)
    images = tuple(
        image_of(b)
        for b in (content if isinstance(content, Sequence) and not isinstance(content, str) else ())
        if isinstance(b, Mapping) and b.get("type") == "image"
    )
    sizes = [utf8_length(t) for t in texts]
    tokens = sum(map(rough, sizes)) + sum(i.tokens for i in images)
    head = (
        texts[0][:HEAD]
        if texts
        else "[image]"
        if images
        else ""
        if isinstance(content, str) or content is None
        else compact_json(content)[:HEAD]
    )
    return Block(
        kind,
        call=id_of(body.get("tool_use_id")),
        error=body.get("is_error") is True,
        size=sum(sizes),
        tokens=tokens,
        head=head,
        blank=not sizes,
        images=images,
        body=body,
    )


def _image(kind: str, body: Json) -> Block:
    image = image_of(body)
    where = f"{image.width}x{image.height}" if image.side else "size unknown"
    return Block(kind, tokens=image.tokens, head=f"[{kind} {where}, {image.size:,} bytes]", images=(image,), body=body)


def _document(kind: str, body: Json) -> Block:
    source = body.get("source")
    data = source.get("data") if isinstance(source, Mapping) else None
    size = utf8_length(data) if isinstance(data, str) else 0
    return Block(kind, size=size, tokens=rough(size), head="[document]", body=body)


_MEASURES = {
    "text": _text,
    "thinking": _thinking,
    "redacted_thinking": _thinking,
    "tool_use": _call,
    "server_tool_use": _call,
    "mcp_tool_use": _call,
    "tool_result": _result,
    "mcp_tool_result": _result,
    "image": _image,
    "document": _document,
}
