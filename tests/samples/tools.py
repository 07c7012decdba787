"""Tool calls with the results they brought, in the shapes that the agent records."""

import base64
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Think:
    """A thinking block of a reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One call and its result: `content` is what the model sees, `outcome` the agent's `toolUseResult` (None: not recorded)."""

    name: str
    input: dict[str, Any]
    content: Any
    outcome: Any
    is_error: bool = False
    image_tokens: int = 0


def numbered(text: str, start: int = 1) -> str:
    """File text as Read shows it: a right-aligned line number, an arrow, the line."""
    return "\n".join(f"{number:>6}→{line}" for number, line in enumerate(text.split("\n"), start))


def read(path: str, text: str, start: int = 1, total: int | None = None, **limits: int) -> Tool:
    """Reads a file, or a part of it that begins at line `start` of `total`."""
    lines = text.count("\n") + 1
    file = {"filePath": path, "content": text, "numLines": lines, "startLine": start, "totalLines": total or lines}
    return Tool("Read", {"file_path": path, **limits}, numbered(text, start), {"type": "text", "file": file})


def bash(command: str, stdout: str, description: str = "") -> Tool:
    """A shell command that went well."""
    given = {"command": command, **({"description": description} if description else {})}
    return Tool("Bash", given, stdout, {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False})


def failed(command: str, output: str, code: int = 1) -> Tool:
    """A shell command that ended with another exit code than 0."""
    said = f"Exit code {code}\n{output}"
    return Tool("Bash", {"command": command}, said, f"Error: {said}", is_error=True)


def edit(path: str, old: str, new: str) -> Tool:
    """Replaces one passage of a file."""
    patch = {"oldStart": 1, "oldLines": old.count("\n") + 1, "newStart": 1, "newLines": new.count("\n") + 1}
    lines = [f"-{line}" for line in old.split("\n")] + [f"+{line}" for line in new.split("\n")]
    outcome = {
        "filePath": path,
        "oldString": old,
        "newString": new,
        "structuredPatch": [{**patch, "lines": lines}],
        "userModified": False,
        "replaceAll": False,
    }
    return Tool(
        "Edit", {"file_path": path, "old_string": old, "new_string": new}, f"Changed {path}: 1 passage replaced.", outcome
    )


def write(path: str, text: str) -> Tool:
    """Creates a file."""
    outcome = {"type": "create", "filePath": path, "content": text, "structuredPatch": []}
    return Tool("Write", {"file_path": path, "content": text}, f"Created {path} ({text.count(chr(10)) + 1} lines).", outcome)


def grep(pattern: str, lines: str, path: str = ".") -> Tool:
    """Searches file contents; `lines` as `path:line:text`."""
    outcome = {"mode": "content", "numFiles": 0, "filenames": [], "content": lines, "numLines": lines.count("\n") + 1}
    return Tool("Grep", {"pattern": pattern, "path": path, "output_mode": "content", "-n": True}, lines, outcome)


def glob(pattern: str, *names: str) -> Tool:
    """Lists files by pattern."""
    outcome = {"filenames": list(names), "durationMs": 14, "numFiles": len(names), "truncated": False}
    return Tool("Glob", {"pattern": pattern}, "\n".join(names), outcome)


def todos(*items: str) -> Tool:
    """Writes the todo list; each item begins with `[ ]`, `[>]` or `[x]`."""
    states = {"[ ]": "pending", "[>]": "in_progress", "[x]": "completed"}
    listed = [{"content": item[4:], "status": states[item[:3]], "activeForm": f"Working on: {item[4:]}"} for item in items]
    return Tool("TodoWrite", {"todos": listed}, "The list is stored.", {"oldTodos": [], "newTodos": listed})


def skill(name: str, said: str) -> Tool:
    """Invokes a skill by its name."""
    return Tool("Skill", {"skill": name}, said, {"success": True, "commandName": name})


def plan_exit(plan: str) -> Tool:
    """Leaves plan mode with a plan that the user approved."""
    return Tool("ExitPlanMode", {"plan": plan}, "The user approved the plan.", {"plan": plan, "isAgent": False})


def mcp(name: str, given: dict[str, Any], text: str) -> Tool:
    """A call of a connected server's tool."""
    return Tool(name, given, [{"type": "text", "text": text}], [{"type": "text", "text": text}])


def screenshot(path: str, png: bytes, tokens: int) -> Tool:
    """Reads a picture: the result holds the image itself."""
    data = base64.b64encode(png).decode()
    content = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}]
    outcome = {"type": "image", "file": {"base64": data, "type": "image/png", "originalSize": len(png)}}
    return Tool("Read", {"file_path": path}, content, outcome, image_tokens=tokens)
