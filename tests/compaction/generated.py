"""Histories as they come: whole and broken pairs, replies in pieces, links, attachments, thinking, an earlier compaction."""

from __future__ import annotations

from hypothesis import strategies as st

from workbench.conversation.block import Block, read_block, text_block
from workbench.conversation.row import ASSISTANT, USER, Row

TOOLS = ("Read", "Bash", "Edit", "mcp__wiki__search", "Task")
TIME = "2026-03-01T{:02}:{:02}:00.000Z"
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
words = st.sampled_from(["", "go on", "word " * 40, "word " * 4_000])


def _call(ident: str, tool: str) -> Block:
    return read_block({"type": "tool_use", "id": ident, "name": tool, "input": {"file_path": f"/src/{ident}.py"}})


def _result(ident: str, content: str, error: bool) -> Block:
    return read_block({"type": "tool_result", "tool_use_id": ident, "content": content, "is_error": error})


def _row(at: int, kind: str, role: str | None, *blocks: Block, message: str | None = None, **fields: object) -> Row:
    time = TIME.format(at // 60 % 24, at % 60)
    return Row(at, at + 1, f"row-{at}", kind, role, message, timestamp=time, blocks=blocks, **fields)  # type: ignore[arg-type]


@st.composite
def turns(draw: st.DrawFn, at: int, number: int) -> list[Row]:
    """A turn as an agent writes it: a prompt or none, a reply in pieces, its results in rows of their own."""
    rows = [_row(at, USER, USER, text_block(draw(words.filter(bool))))] if draw(st.booleans()) else []
    message = f"msg_{number}"
    if draw(st.booleans()):
        rows.append(_row(at + len(rows), ASSISTANT, ASSISTANT, read_block(THOUGHT), message=message))
    if draw(st.booleans()):
        rows.append(_row(at + len(rows), ASSISTANT, ASSISTANT, text_block("I look."), message=message))
    calls = [f"toolu_{number}_{n}" for n in range(draw(st.integers(0, 3)))]
    for ident in calls:
        rows.append(_row(at + len(rows), ASSISTANT, ASSISTANT, _call(ident, draw(st.sampled_from(TOOLS))), message=message))
        if draw(st.integers(0, 5)) == 0:
            rows.append(_row(at + len(rows), "progress:hook_progress", None))
    for ident in draw(st.permutations(calls)):
        rows.append(_row(at + len(rows), USER, USER, _result(ident, draw(words), draw(st.booleans()))))
    if draw(st.integers(0, 4)) == 0:
        rows.append(
            _row(at + len(rows), "attachment:file", USER, text_block("<system-reminder>\nx\n</system-reminder>", "reminder"))
        )
    if not rows:
        rows.append(_row(at, ASSISTANT, ASSISTANT, text_block("So be it."), message=message))
    return rows


@st.composite
def conversations(draw: st.DrawFn, most: int = 8) -> tuple[Row, ...]:
    """What an agent writes: every call answered, perhaps behind an earlier compaction, perhaps open at the end."""
    rows: list[Row] = []
    if draw(st.booleans()):
        rows.append(_row(0, "system:compact_boundary", None))
        rows += draw(turns(1, 100)) if draw(st.integers(0, 3)) == 0 else []
        rows.append(_row(len(rows), USER, USER, text_block("What was before."), is_summary=True))
    else:
        rows.append(_row(0, USER, USER, text_block("Begin.")))
    for number in range(draw(st.integers(0, most))):
        rows += draw(turns(len(rows), number))
    if draw(st.integers(0, 3)) == 0:
        rows.append(_row(len(rows), ASSISTANT, ASSISTANT, _call("toolu_open", "Bash"), message="msg_open"))
    return tuple(rows)


@st.composite
def broken(draw: st.DrawFn) -> tuple[Row, ...]:
    """A conversation in which rows are missing, doubled or moved: what parsers must survive and runs must not make worse."""
    rows = list(draw(conversations(6)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows) - 1))
        how = draw(st.sampled_from(["drop", "swap", "empty"]))
        if how == "drop" and len(rows) > 1:
            del rows[at]
        elif how == "swap":
            other = draw(st.integers(0, len(rows) - 1))
            rows[at], rows[other] = rows[other], rows[at]
        elif rows[at].role is not None:
            rows[at] = Row(rows[at].place, rows[at].line, rows[at].uuid, rows[at].kind, rows[at].role, rows[at].message_id)
    return tuple(rows)
