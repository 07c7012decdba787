"""Project instructions: as they were sent, or as their file was read or written since; and those that came with a folder."""

from collections.abc import Iterable, Sequence

from ..paths import expanded
from ..working_set import SeenFile
from .events import Attached, Event, items, string

NAMES = ("CLAUDE.md", "CLAUDE.local.md")


def instructions_of(events: Iterable[Event], files: Sequence[SeenFile], cwd: str | None) -> tuple[tuple[str, str], ...]:
    """(path, text) of each file; where none was sent, those of the working folder and above whose text is known."""
    sent: dict[str, str] = {}
    at = 0
    for event in events:
        if isinstance(event, Attached) and event.kind == "instructions":
            sent = {string(f.get("path")): string(f.get("content")) for f in items(event.fields.get("files"))}
            at = event.order
    known = {expanded(f.path, cwd): f for f in files if f.is_whole}
    if at:
        return tuple((path, _newer(known.get(expanded(path, cwd)), at) or text) for path, text in sent.items())
    return tuple((f.path, f.text or "") for path, f in known.items() if _stands_above(path, cwd))


def _newer(file: SeenFile | None, than: int) -> str:
    return file.text or "" if file is not None and file.order > than else ""


def _stands_above(path: str, cwd: str | None) -> bool:
    folder, _, name = path.replace("\\", "/").rpartition("/")
    here = expanded(cwd, None).replace("\\", "/") if cwd else ""
    return bool(here) and name in NAMES and f"{here}/".startswith(f"{folder}/")


def nested_of(events: Iterable[Event]) -> tuple[tuple[str, str], ...]:
    """(path, text) of instructions that came because a file of their folder was read."""
    found: dict[str, str] = {}
    for event in events:
        if isinstance(event, Attached) and event.kind == "nested_memory":
            content = event.fields.get("content")
            fields = content if isinstance(content, dict) else {}
            path = string(event.fields.get("path")) or string(fields.get("path"))
            if path:
                found[path] = string(fields.get("content")) or string(content) or event.text
    return tuple(found.items())
