"""Codebase and System Documentation: where the work took place, what was looked for, which documents and tools were used."""

from collections.abc import Iterator, Mapping

from ...conversation.wording import counted
from ..words import one_line
from .facts import OK, Facts
from .fitting import Item
from .results import first_lines

AGENTS = ("Task", "Agent")
LAUNCHED = "Async agent launched"  # its report comes later
DOCUMENTS = (".md", ".rst", ".txt", ".adoc")


def codebase(facts: Facts) -> list[Item]:
    """Folders by how much was done in them, then documents, reports of sub-agents, searches, tool servers."""
    return [*_folders(facts), *_documents(facts), *_agents(facts), *_searches(facts), *_servers(facts)]


def _folders(facts: Facts) -> Iterator[Item]:
    """Folders below the root that holds most of them, each with its files."""
    found: dict[str, dict[str, bool]] = {}
    for action in facts.actions:
        if action.path and action.outcome == OK:
            folder, _, name = action.path.replace("\\", "/").rpartition("/")
            names = found.setdefault(folder, {})
            names[name] = names.get(name, False) or action.is_edit
    held = {folder: len(names) for folder, names in found.items()}
    root = _root(held) if sum(held.values()) > 2 else ""
    if root:
        yield Item(f"- Root: `{root}`", 60)
    order = sorted(found, key=lambda f: (-sum(found[f].values()), -len(found[f]), f))
    for place, folder in enumerate(order):
        edited = [name for name, was in found[folder].items() if was]
        read = [name for name, was in found[folder].items() if not was]
        parts = [f"edited {_list(edited)}" if edited else "", f"read {_list(read)}" if read else ""]
        shown = folder.removeprefix(f"{root}/") if root and folder != root else "." if root else folder
        yield Item(f"- `{shown}/` — {'; '.join(filter(None, parts))}", 40 - place / 100)


def _root(folders: Mapping[str, int]) -> str:
    """The deepest folder that holds at least seven tenths of the files; "" where none does."""
    below: dict[str, int] = {}
    for folder, held in folders.items():
        parts = folder.split("/")
        for depth in range(2, len(parts) + 1):
            parent = "/".join(parts[:depth])
            below[parent] = below.get(parent, 0) + held
    enough = [f for f, number in below.items() if 10 * number >= 7 * sum(folders.values())]
    return max(enough, key=lambda f: (f.count("/"), f), default="")


def _list(names: list[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _documents(facts: Facts) -> Iterator[Item]:
    paths = dict.fromkeys(a.path for a in facts.actions if a.path.lower().endswith(DOCUMENTS) and a.outcome == OK)
    if paths:
        yield Item(f"- Documents: {', '.join(f'`{p}`' for p in list(paths)[-12:])}", 30)


def _agents(facts: Facts) -> Iterator[Item]:
    """What sub-agents reported: they are mostly sent to explore."""
    for place, action in enumerate(
        a for a in facts.actions if a.tool in AGENTS and a.outcome == OK and not a.output.startswith(LAUNCHED)
    ):
        said = first_lines(action.output)
        line = f"- Sub-agent “{one_line(action.target, 80)}”: "
        yield Item(f"{line}{one_line(said, 500)}", 28 + place / 100, f"{line}{one_line(said, 160)}")


def _searches(facts: Facts) -> Iterator[Item]:
    patterns = dict.fromkeys(one_line(a.target, 60) for a in facts.actions if a.tool in ("Grep", "Glob") and a.outcome == OK)
    if patterns:
        newest = list(patterns)[-16:]
        yield Item(
            f"- Looked for: {', '.join(f'`{p}`' for p in newest)}",
            15,
            f"- Looked for: {', '.join(f'`{p}`' for p in newest[-6:])}",
        )


def _servers(facts: Facts) -> Iterator[Item]:
    servers: dict[str, int] = {}
    for name, calls in facts.tools.items():
        if name.startswith("mcp__"):
            server = name.split("__")[1]
            servers[server] = servers.get(server, 0) + calls
    if servers:
        named = ", ".join(f"{server} ({counted(calls, 'call')})" for server, calls in servers.items())
        yield Item(f"- Tool servers used: {named}", 25)
