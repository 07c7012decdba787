"""Who is asked for a summary: the table of names. Each is a function from a request to a reply (spec 5, "Summarizers").

`claude` is not imported here: whoever wants it imports `workbench.summarizers.claude`, whose SDK takes over a second.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypeAlias

from ..compaction.request import Reply, Request
from ..errors import UsageError

Summarizer: TypeAlias = Callable[[Request], Reply]

OFFLINE, RECORDED, FILE, COMMAND, CLAUDE = "offline", "recorded", "file", "command", "claude"


@dataclass(frozen=True, slots=True)
class About:
    """One way to a summary, for forms and help.

    argument  what stands behind the colon ("PATH"); "" for none
    costs     whether asking it may cost money or send the session away
    """

    name: str
    about: str
    argument: str = ""
    costs: bool = False

    @property
    def usage(self) -> str:
        """As it is written: `file:PATH`."""
        return f"{self.name}:{self.argument}" if self.argument else self.name


TABLE: Mapping[str, About] = MappingProxyType(
    {
        a.name: a
        for a in (
            About(OFFLINE, "written from the conversation itself, without a model: no key, no network"),
            About(RECORDED, "the summary that the session holds at the next boundary"),
            About(FILE, "a text of yours, as if a model had answered with it", "PATH"),
            About(COMMAND, "a program of yours: the request on its standard input, the summary on its output", "CMD", costs=True),
            About(CLAUDE, "the Messages API, with the key from the environment; the cost is shown before", costs=True),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A summarizer as named by the user; `argument` is the path or the command line."""

    name: str
    argument: str = ""

    @property
    def about(self) -> About:
        return TABLE[self.name]

    def __str__(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name


def read_choice(text: str) -> Choice:
    """`offline`, `file:PATH`, ... as typed. Raises UsageError, which names what is known."""
    name, colon, argument = text.strip().partition(":")
    about = TABLE.get(name)
    if about is None:
        near = TABLE[get_close_matches(name, TABLE, n=1, cutoff=0.0)[0]].usage
        known = ", ".join(a.usage for a in TABLE.values())
        raise UsageError(f"There is no summarizer {name!r}; the nearest is {near}, known are {known}.")
    if about.argument and not argument.strip():
        raise UsageError(f"The summarizer {name} needs more: write {about.usage}.")
    if colon and not about.argument:
        raise UsageError(f"The summarizer {name} takes nothing behind a colon.")
    return Choice(name, argument.strip())
