"""Invariants 1 to 3, 6 to 8, 34 and 35: roles, empty messages and texts, and rows that belong together or nowhere."""

from collections.abc import Iterator, Sequence

from ..block import Block
from ..row import ASSISTANT, USER, Message, Part
from ..text import compact_json
from . import fault as f
from . import texts
from .fault import Fault
from .places import THINKING, first_part, parts_of, where

SHOWN = 60  # characters of a value that is no text
SENT_KINDS = (USER, ASSISTANT, "attachment")


def order_of(messages: Sequence[Message]) -> Iterator[Fault]:
    """Faults of roles and of what a message is made of."""
    if not messages:
        words = "There is no message to send."
        yield Fault("no-message", 1, f.ARRAY, f.EMPTY, words, api_error=texts.NO_MESSAGE)
        return
    yield from _roles(messages)
    yield from _empty_messages(messages)
    yield from _empty_texts(messages)
    yield from _split_replies(messages)
    yield from _unsendable_rows(messages)


def _roles(messages: Sequence[Message]) -> Iterator[Fault]:
    if messages[0].role == ASSISTANT:
        words = "The array starts with a reply: what was asked is not in it."
        place = where(0, first_part(messages[0]))
        yield Fault("first-not-user", 2, f.ARRAY, f.ORDER, words, api_error=texts.FIRST_NOT_USER, **place)
    for index, message in enumerate(messages):
        place = where(index, first_part(message))
        if message.role not in (USER, ASSISTANT):
            words = f"messages[{index}] has the role {message.role!r}."
            yield Fault("unknown-role", 8, f.ARRAY, f.ORDER, words, api_error=texts.bad_role(index), **place)
        elif index and message.role == messages[index - 1].role:
            words = f"messages[{index - 1}] and [{index}] have the same role; the API merges them, some gateways refuse them."
            error = texts.same_role(message.role)
            yield Fault("same-role", 3, f.ARRAY, f.ORDER, words, api_error=error, severity=f.REMARK, **place)


def is_empty(message: Message) -> bool:
    """Whether a message has no content at all."""
    return all(b.kind == "empty" for b in message.blocks)


def _empty_messages(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, message in enumerate(messages):
        if not is_empty(message):
            continue
        place = where(index, first_part(message))
        if message.role == ASSISTANT and index == len(messages) - 1:
            words = "The last reply is empty, which the API allows until another message follows."
            yield Fault("empty-last-reply", 6, f.ARRAY, f.EMPTY, words, severity=f.REMARK, **place)
            continue
        words = f"messages[{index}] ({message.role}) has no content."
        yield Fault("empty-message", 6, f.ARRAY, f.EMPTY, words, api_error=texts.empty_message(index), **place)


def is_tolerated_blank(message: Message, part: Part) -> bool:
    """Whitespace that a model put before a call: the API sent it itself, and the agent leaves it out."""
    others = any(not p.block.blank and p.block.kind not in THINKING for p in message.parts if p is not part)
    return message.role == ASSISTANT and part.block.size > 0 and others


def _blank_words(block: Block) -> str:
    """What is wrong with a text block that says nothing."""
    if block.size > 0:
        return "that holds nothing but whitespace"
    if block.body is None or isinstance(block.body.get("text"), str):
        return "that is empty"
    if "text" not in block.body:
        return "without a text"
    return f"whose text is no string but {compact_json(block.body['text'])[:SHOWN]}"


def _blank_error(block: Block, index: int, at: int) -> str:
    if block.size > 0:
        return texts.BLANK_TEXT
    if block.body is None or isinstance(block.body.get("text"), str):
        return texts.EMPTY_TEXT
    return texts.unfit_text(index, at, there="text" in block.body)


def _empty_texts(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, at, part in parts_of(messages):
        if part.block.kind != "text" or not part.block.blank:
            continue
        tolerated = is_tolerated_blank(messages[index], part)
        yield Fault(
            kind="whitespace-text" if tolerated else "empty-text",
            number=7,
            level=f.ARRAY,
            class_=f.EMPTY,
            sentence=f"messages[{index}].content[{at}] is a text block {_blank_words(part.block)}.",
            api_error=_blank_error(part.block, index, at),
            severity=f.REMARK if tolerated else f.ERROR,
            **where(index, part),
        )


def _split_replies(messages: Sequence[Message]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for index, message in enumerate(messages):
        for id in dict.fromkeys(p.row.message_id for p in message.parts if p.row and p.row.message_id):
            if id in seen:
                words = f"The reply {id} is split over messages[{seen[id]}] and [{index}]; its rows are one message."
                yield Fault("split-reply", 34, f.ARRAY, f.MISPLACED, words, id=id, **where(index, first_part(message)))
            seen.setdefault(id, index)


def _unsendable_rows(messages: Sequence[Message]) -> Iterator[Fault]:
    for index, _, part in parts_of(messages):
        if messages[index].role not in (USER, ASSISTANT):
            continue  # told as a fault of its role
        if part.row is not None and part.row.kind.partition(":")[0] not in SENT_KINDS:
            words = f"A row of type {part.row.kind} is in the array; such rows are never sent."
            yield Fault("unsent-row", 35, f.ARRAY, f.ORDER, words, id=part.row.uuid, **where(index, part))
