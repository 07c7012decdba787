"""Arrays for tests of the conversation room, written as short as they are read."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from workbench.conversation.array import assemble
from workbench.conversation.block import read_content
from workbench.conversation.row import ASSISTANT, USER, Message, Row

IDS = ("toolu_a", "toolu_b", "toolu_c", "toolu_d")


def row(
    number: int, role: str, *content: object, message: str | None = None, model: str = "claude-opus-4-5", meta: bool = False
) -> Row:
    """A row whose content is a string or blocks as JSON."""
    given = content[0] if len(content) == 1 and isinstance(content[0], str) else list(content)
    id = (message or f"msg_{number}") if role == ASSISTANT else None
    return Row(number, number + 1, f"row-{number}", role, role, id, model, is_meta=meta, blocks=read_content(given))


def array(*messages: tuple[object, ...]) -> tuple[Message, ...]:
    """The array of rows given as (role, content, ...)."""
    return assemble(row(number, str(role), *content) for number, (role, *content) in enumerate(messages))


def call(id: str, name: str = "Bash") -> dict[str, object]:
    return {"type": "tool_use", "id": id, "name": name, "input": {}}


def result(id: str, content: str = "ok", *, error: bool = False) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **({"is_error": True} if error else {})}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def thinking(signature: str | None = "c2ln") -> dict[str, object]:
    return {"type": "thinking", "thinking": "hm", **({"signature": signature} if signature is not None else {})}


def kinds(messages: Iterable[Message]) -> list[str]:
    """The array in short: `user: result toolu_a, text`."""
    return [f"{m.role}: " + ", ".join(f"{b.kind} {b.call}".replace("tool_", "").strip() for b in m.blocks) for m in messages]


def _blocks(role: str) -> st.SearchStrategy[dict[str, object]]:
    words = st.sampled_from(["", "  ", "hello", "go on"]).map(text)
    if role == USER:
        return st.one_of(words, st.builds(result, st.sampled_from(IDS), st.sampled_from(["ok", ""]), error=st.booleans()))
    return st.one_of(words, st.builds(call, st.sampled_from(IDS)), st.just(thinking()))


@st.composite
def arrays(draw: st.DrawFn) -> tuple[Message, ...]:
    """Any array of up to eight rows: pairs whole, broken, doubled and out of order."""
    rows = []
    for number in range(draw(st.integers(0, 8))):
        role = draw(st.sampled_from([USER, ASSISTANT]))
        content = draw(st.lists(_blocks(role), max_size=3))
        rows.append(row(number, role, *content, message=draw(st.sampled_from(["msg_x", f"msg_{number}", f"msg_{number}"]))))
    return assemble(rows)
