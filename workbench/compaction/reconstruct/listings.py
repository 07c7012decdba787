"""What was announced in full or in part since the boundary, put together: the deltas replayed against an empty list."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from ..working_set import Listing
from .events import Attached, Call, Event, Reply, items, string, texts

TOOLS, AGENTS, SERVERS, SKILLS = "deferred_tools_delta", "agent_listing_delta", "mcp_instructions_delta", "skill_listing"
NOTICES = ("date", "environment", "model", "remote_session_change")  # the newest versions send these beside the array
HEADS = {
    TOOLS: "Tools that can be loaded before their first use:",
    AGENTS: "Kinds of agents that can be started:",
    SERVERS: "Instructions of the connected MCP servers:",
    SKILLS: "Skills that can be invoked:",
}
_FIELDS = {TOOLS: ("Names", "Lines"), AGENTS: ("Types", "Lines"), SERVERS: ("Names", "Blocks")}
_SKILL = re.compile(r"^- ([^:\n]+(?::[^:\s][^:\n]*)?):", re.MULTILINE)


@dataclass(slots=True)
class _Draft:
    """A list while the deltas go by: name -> line; `sent` the text as it was sent where one announcement made it all."""

    lines: dict[str, str] = field(default_factory=dict)
    sent: str = ""


def listings_of(events: Iterable[Event]) -> tuple[Listing, ...]:
    """One listing a kind, in the order in which the agent sends them; an empty one is none."""
    drafts: dict[str, _Draft] = {kind: _Draft() for kind in HEADS}
    notices: dict[str, str] = {}
    for event in events:
        if isinstance(event, Attached) and event.kind in HEADS:
            _take(drafts[event.kind], event)
        elif isinstance(event, Attached) and event.kind in NOTICES and event.text:
            notices[event.kind] = event.text
    found = [Listing(k, tuple(d.lines), d.sent or _text(k, d), tuple(d.lines.values())) for k, d in drafts.items() if d.lines]
    return (*found, *(Listing(k, (), notices[k]) for k in NOTICES if k in notices))


def _take(draft: _Draft, event: Attached) -> None:
    before = dict(draft.lines)
    if event.fields.get("isInitial") is True:
        draft.lines, before = {}, {}
    if event.kind == SKILLS:
        _add_skills(draft, event)
    else:
        _add_delta(draft, event)
    draft.sent = event.text if not before and draft.lines else "" if draft.lines != before else draft.sent


def _add_delta(draft: _Draft, event: Attached) -> None:
    names, lines = _FIELDS[event.kind]
    added, shown = texts(event.fields.get(f"added{names}")), texts(event.fields.get(f"added{lines}"))
    for name, line in zip_longest(added, shown[: len(added)], fillvalue=""):
        draft.lines[name] = line or name
    for name in texts(event.fields.get(f"readded{names}")):
        draft.lines.setdefault(name, name)
    for name in texts(event.fields.get(f"removed{names}")):
        draft.lines.pop(name, None)


def _add_skills(draft: _Draft, event: Attached) -> None:
    content = string(event.fields.get("content"))
    starts = list(_SKILL.finditer(content))
    ends = [*(m.start() for m in starts[1:]), len(content)]
    lines = {m[1]: content[m.start() : end].rstrip() for m, end in zip(starts, ends, strict=False)}
    names = texts(event.fields.get("names"))
    if names:
        draft.lines |= {name: lines.get(name, f"- {name}") for name in names}
    else:
        draft.lines |= lines or ({"skills": content} if content else {})


def _text(kind: str, draft: _Draft) -> str:
    return "\n".join((HEADS[kind], *draft.lines.values()))


def discovered_tools(events: Iterable[Event], before: Iterable[str]) -> tuple[str, ...]:
    """Deferred tools in use: those that the boundary names, those loaded by a search, those announced and then called."""
    found = dict.fromkeys(before)
    announced: set[str] = set()
    for event in events:
        if isinstance(event, Attached) and event.kind == TOOLS:
            announced.update(texts(event.fields.get("addedNames")))
        elif isinstance(event, Reply):
            found |= dict.fromkeys(name for name in event.tools if name in announced)
        elif isinstance(event, Call):
            found |= dict.fromkeys(_loaded_by(event))
    return tuple(found)


def _loaded_by(call: Call) -> Iterator[str]:
    for block in call.row.blocks:
        content = block.body.get("content") if block.call == call.id and block.body is not None else None
        for piece in items(content):
            if piece.get("type") == "tool_reference" and string(piece.get("tool_name")):
                yield string(piece["tool_name"])
