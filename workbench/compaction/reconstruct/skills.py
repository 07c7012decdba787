"""Skills that were invoked: by the agent's tool, by a slash command, or brought back by an earlier compaction."""

import re
from collections.abc import Iterable

from ..working_set import Skill
from .events import Attached, Call, Event, Prompt, Reply, items, string

_COMMAND = re.compile(r"<command-name>\s*/?([^<\s]+)\s*</command-name>")
_FOLDER = re.compile(r"Base directory for this skill: *(\S[^\n]*)")
_CAVEAT = "<local-command-caveat>"


def invoked_skills(events: Iterable[Event]) -> tuple[Skill, ...]:
    """Every skill once, with its newest text and use; a command that loads no text is none (/compact, /clear)."""
    found: dict[str, Skill] = {}
    waiting: dict[str, str] = {}  # call id ("" for a command) -> name of the skill whose text has to come
    for event in events:
        if isinstance(event, Call) and event.name == "Skill" and not event.failed:
            name = string(event.input.get("skill")) or string(event.input.get("command"))
            if name.strip("/"):
                waiting[event.id] = name.strip("/")
                _note(found, Skill(name.strip("/"), "", None, event.order))
        elif isinstance(event, Prompt):
            _prompt(found, waiting, event)
        elif isinstance(event, Reply):
            waiting.clear()
        elif isinstance(event, Attached) and event.kind == "invoked_skills":
            for skill in reversed(items(event.fields.get("skills"))):  # newest first
                name, path, text = (string(skill.get(field)) for field in ("name", "path", "content"))
                if name:
                    found.pop(name, None)
                    found[name] = Skill(name, path, text or None, event.order)
    return tuple(found.values())


def _prompt(found: dict[str, Skill], waiting: dict[str, str], prompt: Prompt) -> None:
    if not prompt.row.is_meta:
        command = _COMMAND.search(prompt.text)
        waiting.pop("", None)
        if command is not None:
            waiting[""] = command[1]
        return
    if prompt.text.lstrip().startswith(_CAVEAT):
        return
    source = string(prompt.record.get("sourceToolUseID"))
    name = waiting.pop(source if source in waiting else next(iter(waiting), source), None)
    if name is not None:
        folder = _FOLDER.search(prompt.text)
        _note(found, Skill(name, folder[1].strip() if folder is not None else "", prompt.text or None, prompt.order))


def _note(found: dict[str, Skill], skill: Skill) -> None:
    """A later use moves the skill to the end; a use whose text is not there keeps the text known before."""
    known = found.pop(skill.name, None)
    if known is not None and skill.content is None:
        skill = Skill(known.name, known.path, known.content, skill.order)
    found[skill.name] = skill
