"""The tags of a reply: a summary written here goes out in the form in which a model answers."""

import re

_INSIDE = re.compile(r"<summary>\n?(.*)</summary>", re.DOTALL)
_CLOSING = re.compile(r"<(?=/summary>)", re.IGNORECASE)


def tagged(summary: str) -> str:
    """A summary between its tags; one that it quotes cannot end it."""
    harmless = _CLOSING.sub(r"<\\", summary)
    return f"<summary>\n{harmless}\n</summary>"


def untagged(reply: str) -> str:
    """What stands between the tags; the whole text where there are none."""
    found = _INSIDE.search(reply)
    return found[1].strip("\n") if found else reply
