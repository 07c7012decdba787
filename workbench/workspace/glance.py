"""What a session is, at a glance: the facts that the picker lists, from as much of a file as was indexed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..transcript.index import META, SUMMARY, Index
from ..transcript.session import Session
from .catalogue import Entry, Facts

TITLES = ("custom-title", "ai-title")
MOST_LOOKED_AT = 40  # records of a kind that are decoded in search of a title

_COMMAND = re.compile(r"<command-name>\s*(/[^<]+?)\s*</command-name>")
_ARGUMENTS = re.compile(r"<command-args>\s*([^<]+?)\s*</command-args>")
_ABOUT_RECORDS = frozenset(("type", "sessionId", "session_id", "uuid", "timestamp", "leafUuid", "version"))
_NOT_A_PROMPT = ("<", "[Request interrupted", "Caveat: ")


def facts_of(session: Session, entry: Entry, read: int) -> Facts:
    """The facts of an indexed file of which `read` bytes were read; as `inspect` counts them."""
    index = session.index
    return Facts(
        size=entry.size,
        modified=entry.modified,
        read=read,
        records=len(index),
        compactions=len(session.boundaries),
        damaged_lines=index.facts.damaged_lines,
        title=title_of(session),
        cwd=_cwd(session),
        version=index.last_version,
        model=next((name for name in index.model_names if name and name[0] != "<"), ""),
        last_record=max(index.times, default=0.0) if read >= entry.size else 0.0,
    )


def title_of(session: Session) -> str:
    """The title the agent recorded, else a summary of this very session, else its first prompt; "" without any."""
    return next(_titles(session), "")


def _titles(session: Session) -> Iterator[str]:
    for kind in TITLES:
        yield from (text for record in _newest(session, kind) if (text := _own_text(record)))
    for record in _newest(session, "summary"):
        leaf, summary = record.get("leafUuid"), record.get("summary")
        if isinstance(leaf, str) and isinstance(summary, str) and summary and session.index.find(leaf) is not None:
            yield summary  # many a summary titles another file (spec 2, section 2)
    prompts = list(_prompts(session))
    yield from (text for text in prompts if not text.startswith(_NOT_A_PROMPT))
    yield from (words for text in prompts if (words := _command_words(text)))
    for record in _newest(session, "last-prompt"):
        prompt = record.get("lastPrompt")
        if isinstance(prompt, str) and prompt:
            yield prompt


def _newest(session: Session, kind: str) -> Iterator[Mapping[str, Any]]:
    return (session.body(place) for place in reversed(session.index.places(kind)[-MOST_LOOKED_AT:]))


def _own_text(record: Mapping[str, Any]) -> str:
    """The one text that a title record is about, whatever its field is called."""
    texts = (value for name, value in record.items() if name not in _ABOUT_RECORDS and isinstance(value, str))
    return next(texts, "").strip()


def _prompts(session: Session) -> Iterator[str]:
    """The beginnings of what the user typed first."""
    index = session.index
    typed = [place for place in index.places("user") if not index.flags[place] & (META | SUMMARY)]
    for row in session.rows(typed[:MOST_LOOKED_AT]):
        yield from (block.head.strip() for block in row.blocks[:1] if block.kind == "text" and not block.blank)


def _command_words(text: str) -> str:
    command = _COMMAND.search(text)
    if command is None:
        return ""
    arguments = _ARGUMENTS.search(text)
    return f"{command[1]} {arguments[1]}" if arguments else command[1]


def _cwd(session: Session) -> str:
    place = _first_with_uuid(session.index)
    cwd = session.body(place).get("cwd") if place is not None else None
    return cwd if isinstance(cwd, str) else ""


def _first_with_uuid(index: Index) -> int | None:
    return next((place for place, uuid in enumerate(index.uuids) if uuid is not None), None)
