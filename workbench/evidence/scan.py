"""One pass over the lines of a file for what the index does not keep: damage, bad characters, skills, sub-agents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..transcript.index import SIDECHAIN
from ..transcript.lines import body_of
from ..transcript.session import Session
from .damage import BadRecord, DamagedLine, bad_characters_in, damage_in
from .physical import Line, lines_with_places

SKILL = "Skill"  # the tool that loads a skill's text


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A skill that was invoked: its name and the line of the call."""

    place: int
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What stands in the lines.

    agents  {id of a sub-agent: line of the result that names it}
    """

    damaged: tuple[DamagedLine, ...] = ()
    bad: tuple[BadRecord, ...] = ()
    skills: tuple[SkillCall, ...] = ()
    agents: Mapping[str, int] | None = None
    ends_with_newline: bool = True


def scan(session: Session) -> Scan:
    """Reads every line once; lines are decoded only where their bytes give a reason to."""
    index = session.index
    facts = index.facts
    look_for_damage = facts.damaged_lines > 0
    look_for_characters = facts.lone_surrogates + facts.nul_characters > 0
    damaged: list[DamagedLine] = []
    bad: list[BadRecord] = []
    skills: list[SkillCall] = []
    agents: dict[str, int] = {}
    last = b"\n"
    for line, places in lines_with_places(session.reader, index):
        found = damage_in(line) if look_for_damage else None
        if found is not None:
            damaged.append(found)
        elif places:
            if look_for_characters and (characters := bad_characters_in(line)):
                bad.append(BadRecord(places[0], line.number, characters))
            skills += _skills(line, places[0])
            if not index.has(places[0], SIDECHAIN) and b'"agentId"' in line.content and index.kind(places[0]) == "user":
                _note_agent(agents, line)
        last = line.content
    return Scan(tuple(damaged), tuple(bad), tuple(skills), agents, last.endswith(b"\n"))


def _skills(line: Line, place: int) -> list[SkillCall]:
    if b'"Skill"' not in line.content or b'"tool_use"' not in line.content:
        return []
    message = body_of(line.text).get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    inputs = [
        _mapping(block.get("input"))
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, Mapping) and block.get("type") == "tool_use" and block.get("name") == SKILL
    ]
    return [SkillCall(place, line.number, str(given.get("skill") or given.get("command"))) for given in inputs]


def _note_agent(agents: dict[str, int], line: Line) -> None:
    outcome = body_of(line.text).get("toolUseResult")
    agent = outcome.get("agentId") if isinstance(outcome, Mapping) else None
    if isinstance(agent, str):
        agents.setdefault(agent, line.number)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
