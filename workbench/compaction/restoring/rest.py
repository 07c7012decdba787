"""What comes back without a budget: instructions, plan, plan mode, agents, todos, and what is announced in full again."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...conversation.wording import counted
from ..result import LeftOut
from ..working_set import Listing, WorkingSet
from .piece import Piece, tokens_in

DONE = ("completed", "deleted")
_ADDED = {
    "deferred_tools_delta": ("addedNames", "addedLines", "removedNames"),
    "agent_listing_delta": ("addedTypes", "addedLines", "removedTypes"),
    "mcp_instructions_delta": ("addedNames", "addedBlocks", "removedNames"),
}
LABELS = {
    "instructions": "project instructions",
    "plan": "the plan",
    "plan_mode": "plan mode",
    "task_status": "a running agent",
    "todo_reminder": "open todos",
    "deferred_tools_delta": "deferred tools",
    "agent_listing_delta": "kinds of agents",
    "mcp_instructions_delta": "MCP instructions",
    "skill_listing": "list of skills",
}


def instructions_piece(working: WorkingSet, contents: Mapping[str, str]) -> Piece | None:
    """Project instructions, read again: no budget, and never through the summary."""
    files = [(path, contents.get(path, text)) for path, text in working.instructions]
    if not files:
        return None
    names = ", ".join(path for path, _ in files)
    text = "\n\n".join(("Project instructions; they hold for all that follows.", *(f"From {p}:\n\n{t}" for p, t in files)))
    fields = {"type": "instructions", "files": [{"path": p, "type": "Project", "content": t} for p, t in files]}
    tokens = sum(tokens_in(t) for _, t in files)
    return Piece("instructions", names, text, tokens, f"project instructions {names}: no budget holds for them", fields)


def nested_left(working: WorkingSet) -> tuple[LeftOut, ...]:
    """Instructions of folders: they return with the first file of their folder."""
    return tuple(LeftOut("instructions", p, "it returns by itself when a file of its folder is read") for p, _ in working.nested)


def plan_pieces(working: WorkingSet, contents: Mapping[str, str]) -> tuple[tuple[Piece, ...], tuple[LeftOut, ...]]:
    """The plan, and plan mode where it is on."""
    pieces: list[Piece] = []
    left: list[LeftOut] = []
    plan = working.plan
    path = plan.path if plan is not None else ""
    if plan is not None:
        text = contents.get(path, plan.text)
        if text is None:
            left.append(LeftOut("plan", path, f"its text is not known: {plan.why or 'the transcript does not hold it'}"))
        else:
            where = f" ({path})" if path else ""
            fields = {"type": "plan", "planFilePath": path, "planContent": text}
            tokens = tokens_in(text)
            pieces.append(
                Piece("plan", path or "plan", f"The plan{where}:\n\n{text}", tokens, f"the plan: {tokens:,} tokens", fields)
            )
    if working.plan_mode:
        words = "Plan mode is on: look and plan, but change nothing until the user has approved the plan."
        text = f"{words} The plan is kept in {path}." if path else words
        exists = plan is not None and bool(pieces)
        mode: Mapping[str, Any] = {
            "type": "plan_mode",
            "reminderType": "full",
            "isSubAgent": False,
            "planFilePath": path,
            "planExists": exists,
        }
        pieces.append(Piece("plan_mode", "plan mode", text, tokens_in(text), "plan mode is on and stays on", mode))
    return tuple(pieces), tuple(left)


def agent_pieces(working: WorkingSet) -> Iterator[Piece]:
    """A word on each agent that still runs in the background."""
    for agent in working.agents:
        words, _, name = agent.removesuffix(")").rpartition(" (")
        text = f"The agent {agent} still runs in the background; its end will be told. Do not start it again."
        fields = {"type": "task_status", "taskId": name, "taskType": "local_agent", "description": words, "status": "running"}
        yield Piece("task_status", agent, text, tokens_in(text), f"the agent {agent} still runs", fields)


def todo_piece(working: WorkingSet) -> tuple[Piece | None, tuple[LeftOut, ...]]:
    """The list of todos while something on it is open."""
    if not working.todos:
        return None, ()
    still_open = sum(status not in DONE for _, status in working.todos)
    if not still_open:
        return None, (LeftOut("todo_reminder", "todos", f"all {len(working.todos)} are done"),)
    text = "\n".join(("The list of todos as it stands:", *(f"- [{status}] {words}" for words, status in working.todos)))
    content = [{"content": words, "status": status} for words, status in working.todos]
    fields = {"type": "todo_reminder", "content": content, "itemCount": len(content)}
    return Piece("todo_reminder", "todos", text, tokens_in(text), f"{still_open} of {len(content)} todos are open", fields), ()


def listing_pieces(working: WorkingSet) -> Iterator[Piece]:
    """Full announcements: as deltas against an empty list, since the model no longer knows the earlier ones."""
    for listing in working.listings:
        count = counted(len(listing.names), "name") if listing.names else "as it was announced last"
        name = LABELS.get(listing.kind, listing.kind)
        yield Piece(listing.kind, name, listing.text, tokens_in(listing.text), f"{name}, in full: {count}", _listed(listing))


def _listed(listing: Listing) -> Mapping[str, Any]:
    names, lines = list(listing.names), list(listing.lines)
    if listing.kind in _ADDED:
        added, shown, removed = _ADDED[listing.kind]
        return {"type": listing.kind, added: names, shown: lines, removed: [], "isInitial": True}
    if listing.kind == "skill_listing":
        return {"type": listing.kind, "content": "\n".join(lines), "skillCount": len(names), "isInitial": True, "names": names}
    return {"type": listing.kind, "text": listing.text}
