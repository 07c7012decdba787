"""The repairs the agent makes in memory before it sends an array it loaded (spec 6, section 4, "Repairs before sending").

Nothing is written: the file keeps its faults. Each function takes and gives an array and reports its changes, so that
the array as loaded and the array as sent can stand side by side with the reason of every difference.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from .array import EMPTY, results_first
from .block import UNTYPED, Block, text_block
from .change import Change
from .row import ASSISTANT, USER, Message, Part

MISSING_RESULT = "No result was recorded for this call."
EMPTY_REPLY = "[This reply was empty.]"
EMPTY_PROMPT = "[This message was empty.]"
ONLY_A_STRAY_RESULT = "[A tool result without a call was left out here.]"
CALL_ID_REUSED = "[A tool call whose id was used before was left out here.]"
SERVER_BLOCK = "[A server-side tool block was left out here.]"
HISTORY_STARTS_LATE = "[The conversation before this reply is not in the file.]"

_THINKING = ("thinking", "redacted_thinking")

Messages = tuple[Message, ...]
Changes = list[Change]


def as_sent(messages: Sequence[Message], model: str | None = None) -> tuple[Messages, tuple[Change, ...]]:
    """The array after the agent's repairs; `model` is the one it is sent to (thinking of others is dropped)."""
    changes: Changes = []
    array: Messages = tuple(messages)
    if model:
        array = _each(array, lambda m: _drop_foreign_thinking(m, model, changes))
    array = _each(array, lambda m: _drop_untyped(m, changes))
    array = _each(array, lambda m: _replace_server_blocks(m, changes))
    array = _replace_reused_calls(array, changes)
    array = _move_early_results(array, changes)
    known = frozenset(b.call for m in array for b in m.blocks if b.kind == "tool_result")
    array = _drop_stray_results(array, changes)
    array = _answer_or_drop_calls(array, known, changes)
    array = _drop_blank_replies(array, changes)
    array = _fill_or_drop_empty(array, changes)
    array = _each(_join_users(array), lambda m: _drop_empty_texts(m, changes))
    return _start_with_user(array, changes), tuple(changes)


def _each(messages: Messages, repair: Callable[[Message], Message]) -> Messages:
    return tuple(repair(m) for m in messages)


def _uuids(parts: Iterable[Part]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p.row.uuid for p in parts if p.row is not None))


def _drop_foreign_thinking(message: Message, model: str, changes: Changes) -> Message:
    foreign = [
        p for p in message.parts if p.block.kind in _THINKING and p.row is not None and p.row.model and p.row.model != model
    ]
    if not foreign:
        return message
    changes.append(Change("drop-thinking", _uuids(foreign), f"thinking by another model than {model} is not sent"))
    return replace(message, parts=tuple(p for p in message.parts if p not in foreign))


def _replace_server_blocks(message: Message, changes: Changes) -> Message:
    if message.role != ASSISTANT:
        return message
    calls = {b.call for b in message.blocks if b.is_server}
    results = {b.call for b in message.blocks if b.is_server_result}
    advisor = {b.call for b in message.blocks if b.kind == "advisor_tool_result" or b.name == "advisor"}
    bad = (calls ^ results) | advisor
    parts = []
    for part in message.parts:
        if (part.block.is_server or part.block.is_server_result) and part.block.call in bad:
            changes.append(
                Change("replace-server-block", _uuids([part]), "a server tool block that cannot be sent becomes a short text")
            )
            part = Part(text_block(SERVER_BLOCK), part.row)
        parts.append(part)
    return replace(message, parts=tuple(parts))


def _replace_reused_calls(messages: Messages, changes: Changes) -> Messages:
    seen: set[str] = set()
    result = []
    for message in messages:
        parts = []
        for part in message.parts:
            if part.block.kind == "tool_use":
                if part.block.call in seen:
                    changes.append(Change("replace-call", _uuids([part]), f"the call id {part.block.call} was used before"))
                    part = Part(text_block(CALL_ID_REUSED), part.row)
                seen.add(part.block.call)
            parts.append(part)
        result.append(replace(message, parts=tuple(parts)))
    return tuple(result)


def _move_early_results(messages: Messages, changes: Changes) -> Messages:
    """A result that stands before its call goes behind it; an error that was made up in its place goes."""
    call_at = {b.call: i for i, m in enumerate(messages) for b in m.blocks if b.kind == "tool_use"}
    early: dict[str, Part] = {}
    drafts = [list(m.parts) for m in messages]
    for index, message in enumerate(messages):
        for part in message.parts:
            block = part.block
            if block.kind == "tool_result" and call_at.get(block.call, -1) >= index and block.call not in early:
                early[block.call] = part
                drafts[index].remove(part)
    for call, part in early.items():
        target = call_at[call] + 1
        if target >= len(drafts) or messages[target].role != USER:
            continue
        standing = [p for p in drafts[target] if p.block.kind == "tool_result" and p.block.call == call]
        if any(not p.block.error for p in standing):
            continue
        for fake in standing:
            drafts[target].remove(fake)
            changes.append(Change("drop-result", _uuids([fake]), f"the made-up result of {call} gives way to the real one"))
        drafts[target].insert(0, part)
        changes.append(Change("move-result", _uuids([part]), f"the result of {call} stood before its call"))
    return tuple(replace(m, parts=tuple(d)) for m, d in zip(messages, drafts, strict=True))


def _drop_stray_results(messages: Messages, changes: Changes) -> Messages:
    result: list[Message] = []
    for index, message in enumerate(messages):
        before = messages[index - 1] if index else None
        asked = {b.call for b in before.blocks if b.kind == "tool_use"} if before and before.role == ASSISTANT else set()
        parts, seen = [], set()
        for part in message.parts:
            if part.block.kind == "tool_result" and message.role == USER:
                call = part.block.call
                if call not in asked or call in seen:
                    why = f"a second result of {call}" if call in seen else f"{call} has no call in the reply before"
                    changes.append(Change("drop-result", _uuids([part]), why))
                    continue
                seen.add(call)
            parts.append(part)
        if message.parts and not parts:
            if asked and index + 1 == len(messages):  # the turn is open, as if nothing stood there
                continue
            # what stood between two replies still parts them
            parts = [Part(text_block(ONLY_A_STRAY_RESULT), message.parts[0].row)]
        result.append(replace(message, parts=tuple(parts)))
    return tuple(result)


def _answer_or_drop_calls(messages: Messages, known: frozenset[str], changes: Changes) -> Messages:
    """A call without its result goes with its row, unless a call of the row has one anywhere (`known`) or the turn is open."""
    result: list[Message] = []
    for index, message in enumerate(messages):
        following = messages[index + 1] if index + 1 < len(messages) else None
        before = messages[index - 1] if index else None
        if message.role == USER and before is not None and before.role == ASSISTANT:
            message = _with_errors(before, message, index + 1 == len(messages), known, changes)
        if message.role != ASSISTANT:
            result.append(message)
            continue
        open_calls = _open_calls(message, following)
        if open_calls and following is None:
            result += [message, _errors(open_calls, changes, "at the very end")]
            continue
        goes_on = _is_open_turn(following, index + 2 == len(messages))
        lost = [] if goes_on else _of_lost_rows(message, open_calls, known)
        result += _without_calls(message, lost, changes) if lost else [message]
        kept = [p for p in open_calls if p not in lost]
        if kept and following is not None and following.role == ASSISTANT:
            result.append(_errors(kept, changes, "before the next reply"))
    return tuple(result)


def _open_calls(reply: Message, following: Message | None) -> list[Part]:
    answered = {b.call for b in following.blocks if b.kind == "tool_result"} if following is not None else set()
    return [p for p in reply.parts if p.block.kind == "tool_use" and p.block.call not in answered]


def _is_open_turn(answer: Message | None, is_last: bool) -> bool:
    """Whether the conversation ends with results only: the turn goes on, so nothing of it is dropped."""
    return is_last and answer is not None and any(b.kind == "tool_result" for b in answer.blocks) and _only_results(answer)


def _only_results(message: Message) -> bool:
    return all(b.kind in ("tool_result", "reminder") or b.kind.startswith("attachment") for b in message.blocks)


def _of_lost_rows(reply: Message, open_calls: list[Part], known: frozenset[str]) -> list[Part]:
    """The open calls of rows none of whose calls has a result anywhere: the agent drops such a row."""
    saved = {id(p.row) for p in reply.parts if p.block.kind == "tool_use" and p.block.call in known and p.row is not None}
    return [p for p in open_calls if id(p.row) not in saved]


def _errors(calls: Iterable[Part], changes: Changes, where: str) -> Message:
    parts = []
    for call in calls:
        changes.append(Change("add-result", _uuids([call]), f"{call.block.call} has no result {where}: it gets an error result"))
        written = None if call.block.body is None else call.block.body.get("id")
        parts.append(Part(error_result(call.block.call, written), None))
    return Message(USER, tuple(parts))


def error_result(call: str, written: object = None) -> Block:
    """An error result for a call whose real one is nowhere; `written` is its id as it stands, where that is no string."""
    id = call if written is None else written
    body = {"type": "tool_result", "tool_use_id": id, "content": MISSING_RESULT, "is_error": True}
    size = len(MISSING_RESULT)
    return Block("tool_result", call=call, error=True, size=size, tokens=-(-size // 4), head=MISSING_RESULT, body=body)


def _with_errors(reply: Message, message: Message, is_last: bool, known: frozenset[str], changes: Changes) -> Message:
    """The answer with an error result for each call left open: first, but last in an open last turn."""
    missing = _open_calls(reply, message)
    if _is_open_turn(message, is_last):
        return replace(message, parts=results_first((*message.parts, *_errors(missing, changes, "in the open last turn").parts)))
    lost = {id(p) for p in _of_lost_rows(reply, missing, known)}
    answerable = [p for p in missing if id(p) not in lost]
    return replace(message, parts=_errors(answerable, changes, "among parallel calls").parts + message.parts)


def _without_calls(message: Message, calls: list[Part], changes: Changes) -> list[Message]:
    """The reply without these calls and their rows; where only thinking is left, it goes whole (asked of 2.1.332)."""
    changes.append(
        Change("drop-call", _uuids(calls), f"{', '.join(p.block.call for p in calls)}: no result, and the conversation went on")
    )
    gone = {id(p.row) for p in calls if p.row is not None}  # the agent drops the row of such a call, not its block alone
    rest = tuple(p for p in message.parts if p not in calls and id(p.row) not in gone)
    if all(p.block.kind in _THINKING for p in rest):
        return []
    return [replace(message, parts=rest)]


def _drop_blank_replies(messages: Messages, changes: Changes) -> Messages:
    """A reply of blank texts or of thinking alone is not sent at all."""
    result = []
    for message in messages:
        said = [p for p in message.parts if p.block.kind not in _THINKING and not _is_blank(p)]
        if message.role == ASSISTANT and not said:
            changes.append(Change("drop-empty", _uuids(message.parts), "a reply that says nothing is not sent"))
        else:
            result.append(message)
    return tuple(result)


def _is_blank(part: Part) -> bool:
    return part.block.kind == "text" and part.block.blank


def _drop_empty_texts(message: Message, changes: Changes) -> Message:
    """The message without its blank texts; where there is nothing else a short text, since it parts two replies."""
    bad = [p for p in message.parts if _is_blank(p)]
    if not bad:
        return message
    changes.append(Change("drop-empty-text", _uuids(bad), "an empty text block is refused by the API"))
    rest = tuple(p for p in message.parts if p not in bad)
    return replace(message, parts=rest or (Part(text_block(EMPTY_PROMPT), bad[0].row),))


def _drop_untyped(message: Message, changes: Changes) -> Message:
    bad = [p for p in message.parts if p.block.kind == UNTYPED]
    if not bad:
        return message
    changes.append(Change("drop-untyped", _uuids(bad), "what names no type is no block and is not sent"))
    return replace(message, parts=tuple(p for p in message.parts if p not in bad))


def _fill_or_drop_empty(messages: Messages, changes: Changes) -> Messages:
    result = []
    for message in messages:
        if any(p.block is not EMPTY for p in message.parts):
            result.append(message)
            continue
        if message.role == ASSISTANT:
            changes.append(Change("fill-empty", _uuids(message.parts), "an empty reply gets a short text"))
            row = message.parts[0].row if message.parts else None
            result.append(replace(message, parts=(Part(text_block(EMPTY_REPLY), row),)))
        else:
            changes.append(Change("drop-empty", _uuids(message.parts), "an empty user message is not sent"))
    return tuple(result)


def _join_users(messages: Messages) -> Messages:
    result: list[Message] = []
    for message in messages:
        if result and message.role == USER == result[-1].role:
            result[-1] = replace(message, parts=results_first((*result[-1].parts, *message.parts)))
        else:
            result.append(message)
    return tuple(result)


def _start_with_user(messages: Messages, changes: Changes) -> Messages:
    if not messages or messages[0].role == USER:
        return messages
    changes.append(Change("insert-marker", (), "the first message must be the user's"))
    return (Message(USER, (Part(text_block(HISTORY_STARTS_LATE), None),)), *messages)
