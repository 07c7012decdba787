"""The working set at a point, put together from the rows: what was read, invoked, planned, announced (spec 1, section 10).

What cannot be known from a transcript is said to be unknown, never guessed.
"""

from collections.abc import Collection, Sequence

from ...conversation.row import Row
from ..paths import expanded
from ..working_set import WorkingSet
from .events import Attached, Bodies, happened
from .files import seen_files
from .instructions import instructions_of, nested_of
from .listings import HEADS, discovered_tools, listings_of
from .plan import plan_of, planning_of
from .skills import invoked_skills
from .work import running_agents, todos_of

__all__ = ["working_set"]


def working_set(rows: Sequence[Row], bodies: Bodies = None) -> WorkingSet:
    """The working set behind the rows of a chain, links and attachments included.

    `bodies` gives the whole record at a place of the index, with what the agent recorded for itself; without it only what the
    model was shown counts.
    """
    past = happened(rows, bodies)
    events, cwd = past.events, past.cwd
    planning = planning_of(events)
    kinds = frozenset(e.kind for e in events if isinstance(e, Attached))
    mode = False if planning.mode is None and kinds else planning.mode  # who records attachments records that it is on
    files = seen_files(events, cwd, expanded(planning.path, cwd) if planning.path else None)
    instructions = instructions_of(events, files, cwd)
    return WorkingSet(
        files=files,
        skills=invoked_skills(events),
        instructions=instructions,
        plan=plan_of(planning, files, cwd),
        plan_mode=mode,
        todos=todos_of(events),
        agents=running_agents(events),
        listings=listings_of(events),
        discovered_tools=discovered_tools(events, past.discovered),
        unknown=_unknown(kinds, mode, follows_boundary=past.follows_boundary, has_instructions=bool(instructions)),
        nested=nested_of(events),
        cwd=cwd,
    )


def _unknown(kinds: Collection[str], mode: bool | None, *, follows_boundary: bool, has_instructions: bool) -> tuple[str, ...]:
    found = []
    if not has_instructions:
        found.append("The project instructions (CLAUDE.md) are sent again, but this session does not record them.")
    if follows_boundary and not kinds:
        found.append("What the last compaction brought back was sent, but not recorded.")
    if HEADS.keys().isdisjoint(kinds):
        found.append("Deferred tools, agents, MCP servers and skills are announced again; this session records none of it.")
    if mode is None:
        found.append("Whether plan mode is on is not recorded.")
    return tuple(found)
