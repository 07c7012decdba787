"""The attachments of 2.1.332 as values: what is recorded of each, and the text that is sent of it."""

from dataclasses import dataclass
from typing import Any

from .identity import digest
from .surroundings import AGENTS, DEFERRED, SKILLS

Keys = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attachment; `sent` None: nothing of it is sent. `beside`: it stands beside a result, never inside."""

    kind: str
    sent: str | None
    keys: Keys
    role: str = "system"
    beside: bool = False


def environment(cwd: str) -> Attachment:
    """The machine and the working folder."""
    shown: Keys = {"workingDirectory": cwd, "isWorktree": False, "isGitRepo": True, "additionalWorkingDirectories": []}
    shown |= {"platform": "linux", "shell": "bash", "osVersion": "Linux 6.8.0"}
    return Attachment("environment", f"Working folder: {cwd}, a git repository. Linux, bash.", {"snapshot": shown})


def model(name: str) -> Attachment:
    """The model that answers."""
    text = f"The model is {name}."
    identity = {"modelId": name, "marketingName": name.split("-")[1].title(), "knowledgeCutoff": "unknown"}
    return Attachment("model", text, {"identity": identity, "text": text})


def listings() -> tuple[Attachment, ...]:
    """Deferred tools, agents and skills: complete, since nothing was announced before or a compaction made it forgotten."""
    unchanged: Keys = {"removedNames": [], "wireHiddenNames": [], "readdedNames": []}
    servers: Keys = {"pendingMcpServers": [], "needsAuthMcpServers": [], "failedMcpServers": []}
    tools: Keys = {"addedNames": list(DEFERRED), "addedLines": list(DEFERRED), **unchanged, **servers}
    lines = [f"{name}: {use}" for name, use in AGENTS.items()]
    agents: Keys = {"addedTypes": list(AGENTS), "addedLines": lines, "builtInTypes": list(AGENTS), "builtInPluginTypes": []}
    agents |= {"removedTypes": [], "isInitial": True, "showConcurrencyNote": True}
    text = "\n".join(f"- {name}: {use}" for name, use in SKILLS.items())
    skills: Keys = {"content": text, "skillCount": len(SKILLS), "isInitial": True, "names": list(SKILLS)}
    skills["digests"] = [digest(name).hex()[:16] for name in SKILLS]
    return (
        Attachment("deferred_tools_delta", "More tools, to be searched for by name: " + ", ".join(DEFERRED), tools),
        Attachment("agent_listing_delta", "Agents that can be started:\n" + "\n".join(lines), agents),
        Attachment("skill_listing", "Skills that can be invoked:\n" + text, skills),
    )


def instructions(cwd: str, rules: str, day: str) -> tuple[Attachment, ...]:
    """The project's own rules, the context (empty) and the date."""
    files = [{"path": f"{cwd}/CLAUDE.md", "type": "Project", "content": rules}]
    return (
        Attachment("instructions", f"Rules of the project ({cwd}/CLAUDE.md):\n{rules}", {"files": files}, role="user"),
        Attachment("session_context", None, {"context": {}}),
        Attachment("date", f"Today is {day}.", {"date": day}),
    )


def remote() -> Attachment:
    """The state of a remote session: there is none."""
    keys: Keys = {"url": None, "commit": "", "pr": "", "sendUserFileHint": False, "managedCommit": False, "managedPr": False}
    return Attachment("remote_session_change", "No remote session is connected.", keys, role="user", beside=True)


def prompt_snapshot(system: str, tools: int) -> Attachment:
    """The system prompt as sent; after the first answer also the number of tools, whose definitions are in the shape."""
    keys: Keys = {"systemPrompt": system}
    if tools:
        keys |= {"tools": f"{tools} definitions, see the request's shape", "cliPrefix": ""}
    keys |= {"reminderFold": False, "echoWireToolInputs": False, "contextRendering": "announced"}
    return Attachment("prompt_snapshot", None, keys)


def tokens_used(tokens: int) -> Attachment:
    """How full the window is."""
    text = f"About {tokens // 1000}k tokens are in use."
    return Attachment("total_tokens_reminder", text, {"text": text})


def file_again(cwd: str, path: str, text: str) -> Attachment:
    """A file that is sent again after a compaction."""
    lines = text.count("\n") + 1
    held = {"filePath": path, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines}
    keys: Keys = {"filename": path, "content": {"type": "text", "file": held}, "displayPath": path.removeprefix(cwd + "/")}
    return Attachment("file", f"{path} as it was last read:\n{text}", keys, role="user")


def file_reference(cwd: str, path: str) -> Attachment:
    """A file that was read before and is too large to be sent again."""
    said = f"{path} was read before; it is too large to be sent again."
    return Attachment("compact_file_reference", said, {"filename": path, "displayPath": path.removeprefix(cwd + "/")})
