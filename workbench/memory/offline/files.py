"""Files and Functions: what was read, edited and written, with the newest edit and the functions it touched."""

import re
from dataclasses import dataclass, field

from ...conversation.wording import counted
from ..words import one_line
from .facts import OK, Facts
from .fitting import Item

_NAME = re.compile(
    r"^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|pub(?:\([^)]*\))?\s+|default\s+|abstract\s+)*"
    r"(?:func\s+(?:\([^)]*\)\s*)?|def\s+|defp\s+|defmodule\s+|class\s+|interface\s+|struct\s+|enum\s+|trait\s+|impl\s+|fn\s+"
    r"|function\s*\*?\s+|type\s+|const\s+(?=\w+\s*=\s*(?:async\s*)?(?:\(|function)))([A-Za-z_][\w.]*)",
    re.MULTILINE,
)
_WORD = re.compile(r"\w")
_SLIGHT = re.compile(r"\s*(?://|#|/\*|\*|--|\"\w+\"$|import\b|from\b|use\b).*|.{0,11}$")  # comments, imports, scraps


@dataclass(slots=True)
class _Touched:
    reads: int = 0
    edits: int = 0
    writes: int = 0
    last: int = 0
    change: str = ""
    names: dict[str, None] = field(default_factory=dict)


def files(facts: Facts) -> list[Item]:
    """One line a file: edited ones first, the newest edit first of them, then those read most."""
    found = _touched(facts)
    order = sorted(found, key=lambda path: (not (found[path].edits or found[path].writes), -_rank(found[path]), path))
    return [_item(path, found[path], place) for place, path in enumerate(order)]


def _rank(file: _Touched) -> int:
    return file.last if file.edits or file.writes else file.reads


def _touched(facts: Facts) -> dict[str, _Touched]:
    found: dict[str, _Touched] = {}
    for action in facts.actions:
        if not action.path or action.outcome != OK:
            continue
        file = found.setdefault(action.path, _Touched())
        if action.tool == "Read":
            file.reads += 1
            continue
        if action.tool == "Write":
            file.writes += 1
        else:
            file.edits += 1
        file.last = action.order
        file.change = _change(action.before, action.after) or file.change
        file.names.update(dict.fromkeys(reversed(_NAME.findall(action.after)[:12])))
    return found


def _change(before: str, after: str) -> str:
    """The first line of an edit that is new, else the first that is gone."""
    old, new = before.splitlines(), after.splitlines()
    known = {line.strip() for line in old}
    lines = [line for line in new if line.strip() not in known and _WORD.search(line)]
    added = next(filter(_NAME.match, lines), next((line for line in lines if not _SLIGHT.match(line)), lines[0] if lines else ""))
    if added:
        return f"`{_code(added)}`"
    left = {line.strip() for line in new}
    gone = next((line for line in old if line.strip() not in left and _WORD.search(line)), "")
    return f"removed `{_code(gone)}`" if gone else ""


def _code(line: str) -> str:
    return one_line(line, 90).replace("`", "'")


def _item(path: str, file: _Touched, place: int) -> Item:
    done = [counted(n, noun) for n, noun in ((file.writes, "write"), (file.edits, "edit"), (file.reads, "read")) if n]
    line = f"- `{path}` — {', '.join(done)}"
    if not (file.edits or file.writes):
        return Item(line, 10 - place / 1000)
    names = list(file.names)[-6:]
    more = (f"; touched: {', '.join(reversed(names))}" if names else "") + (
        f"; newest edit: {file.change}" if file.change else ""
    )
    return Item(line + more, 50 - place / 1000, line)
