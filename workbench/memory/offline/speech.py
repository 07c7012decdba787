"""The user's own words, apart from what the agent's program writes into user rows (spec 2, section 6)."""

import re
from dataclasses import dataclass

from ..words import clean

_TAGGED = re.compile(r"<(system-reminder|ide_[a-z_]+)>.*?</\1>", re.DOTALL)
_COMMAND = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)
_TYPED = re.compile(r"<bash-input>\s*(.*?)\s*</bash-input>", re.DOTALL)
_PRINTED = re.compile(r"<bash-stdout>(.*?)</bash-stdout>", re.DOTALL)
_NOISE = ("<local-command-", "<task-notification>", "<bash-stderr>", "Caveat: ")
_INTERRUPTED = "[Request interrupted by user"
_REFUSAL = re.compile(r"doesn't want to (?:proceed|take this action)|tool use was rejected", re.IGNORECASE)
_USER_SAID = re.compile(r"the user said:\s*", re.IGNORECASE)
_CLARIFY = "The user wants to clarify these questions."
_HOUSEKEEPING = frozenset(
    [
        "/clear",
        "/compact",
        "/exit",
        "/quit",
        "/resume",
        "/cost",
        "/model",
        "/login",
        "/logout",
        "/config",
        "/status",
        "/help",
        "/doctor",
        "/context",
        "/mcp",
        "/permissions",
    ]
)


@dataclass(frozen=True, slots=True)
class Heard:
    """kind: "request" | "typed" (a shell command of the user) | "printed" (its output) | "interrupted" | "nothing"."""

    kind: str
    text: str = ""


NOTHING = Heard("nothing")


def hear(text: str) -> Heard:
    """What the text of a user row is."""
    text = _TAGGED.sub("", clean(text)).strip()
    if not text or text.startswith(_NOISE):
        return NOTHING
    if text.startswith(_INTERRUPTED):
        return Heard("interrupted")
    if typed := _TYPED.match(text):
        return Heard("typed", typed[1])
    if printed := _PRINTED.match(text):
        return Heard("printed", printed[1].strip())
    if command := _COMMAND.search(text):
        arguments = _ARGUMENTS.search(text)
        given = arguments[1] if arguments else ""
        if command[1] in _HOUSEKEEPING and not given:
            return NOTHING
        return Heard("request", f"{command[1]} {given}".strip())
    return Heard("request", text)


def refusal(output: str) -> str | None:
    """The user's words in the result of a refused call; "" where none were given; None: it was not refused."""
    if not _REFUSAL.search(output):
        return None
    found = _USER_SAID.search(output)
    words = output[found.end() :].strip() if found else ""
    return "" if words.startswith(_CLARIFY) else words
