"""The sub-agents of a session, as the list shows them: their files, and the calls of the session that started them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..transcript.session import Session

PARENT = ""  # stands for the id in the entry of the session that a sub-agent belongs to


@dataclass(frozen=True, slots=True)
class Link:
    """A call that started a sub-agent: the line of its result, and what the agent was asked to do, in a few words."""

    line: int
    call: str
    task: str


@dataclass(frozen=True, slots=True)
class Agent:
    """A file to open: of a sub-agent, or (`id` is PARENT) of the session it belongs to.

    size   bytes
    calls  API calls recorded in it; None while they are not counted
    link   where the session that is open started it; None where it does not say
    """

    id: str
    path: str
    size: int
    calls: int | None = None
    link: Link | None = None
    problem: str = ""


def links_of(session: Session) -> dict[str, Link]:
    """{agent id: the call that started it}, from `toolUseResult.agentId` (spec 2, section 1). Looks through every user row."""
    return dict(_links(session))


def _links(session: Session) -> Iterator[tuple[str, Link]]:
    for place in session.index.places("user"):
        raw = session.raw(place)
        if b'"agentId"' not in raw or b'"toolUseResult"' not in raw:
            continue
        record = session.body(place)
        outcome = record.get("toolUseResult")
        agent = outcome.get("agentId") if isinstance(outcome, Mapping) else None
        if isinstance(agent, str) and agent:
            yield agent, Link(session.index.lines[place], _call(record), _task(outcome))


def _call(record: Mapping[str, Any]) -> str:
    """The id of the call that a row answers."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    blocks = content if isinstance(content, list) else []
    ids = (b.get("tool_use_id") for b in blocks if isinstance(b, Mapping))
    return next((i for i in ids if isinstance(i, str)), "")


def _task(outcome: Any) -> str:
    for name in ("description", "prompt"):
        if isinstance(outcome.get(name), str) and outcome[name].strip():
            return " ".join(outcome[name][:400].split())
    return ""
