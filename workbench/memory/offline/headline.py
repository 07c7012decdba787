"""A title of five to ten words from the first requests (spec 1, section 8.1: Session Title)."""

import re
from collections.abc import Iterator

from ...conversation.wording import counted
from ..words import one_line
from .facts import Facts
from .inherited import opening_request

FEWEST, MOST = 5, 10  # words
READ, LONGEST = 2_000, 100  # characters of a request, of a title

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|hi|hey|hello|so|now|well|please|alright|great|thanks|yeah)[,!.]?\s+"
    r"|let'?s (?:try something else:?|start|now)\s+|can you(?: please)?\s+|could you(?: please)?\s+|would you(?: please)?\s+"
    r"|(?:the )?user (?:initially |originally )?(?:asked|wants?|wanted|requested|ran)(?: to)?\s+"
    r"|i(?:'d| would) like (?:you )?to\s+|i want (?:you )?to\s+|(?:we )?need to\s+|please\s+|plan:\s*)+",
    re.IGNORECASE,
)
_ASKING = re.compile(r"[,;.]\s+(?=(?:can|could|would) you\b|please\b)", re.IGNORECASE)
_MARKS = re.compile(r"^\s*(?:#+|[-*+>]|\d+[.)])\s+|(?<!\w)[*`_\"]{1,3}(?=\w)|(?<=\w)[*`\"]{1,3}(?!\w)")
_TAG = re.compile(r"</?[\w-]+>")
_PATH = re.compile(r"(?:[~\w.-]*/){2,}([\w.-]+)/?")
_URL = re.compile(r"https?://\S*?([\w.-]+/[\w.-]+)/?(?=[\s)]|$)")
_SENTENCE = re.compile(r"(?<=[\w`\"'][.!?])\s+")
_LOOSE = re.compile(  # a title does not end in one of these
    r"(?:the|an?|of|to|and|or|for|in|on|at|with|by|from|that|which|is|are|our|your|my|its|their|just|if|as|we|they|when|how|do),?",
    re.IGNORECASE,
)


def headline(facts: Facts) -> str:
    """The title; "" where nobody asked for anything."""
    requests = [turn.request[:READ] for turn in facts.requests] or list(filter(None, [opening_request(facts)]))
    if not requests:
        return ""
    telling = [r for r in requests if _tells(r)] or requests
    words: list[str] = []
    for sentence in (sentence for request in telling for sentence in _sentences(request)):
        if len(words) >= FEWEST:
            break
        if words:
            words[-1] = words[-1].rstrip(".,;:!?") + ";"
        words += sentence.split()
    if len(words) < FEWEST:
        words[-1] = words[-1].rstrip(".,;:!?")
        words += _filler(facts)
    text = one_line(" ".join(_trimmed(words)), LONGEST).rstrip(" ,;:.-(?!").lstrip("`~#*_> ")
    return text[:1].upper() + text[1:]


def _tells(request: str) -> bool:
    """Whether it says what the session is about: neither "yes" nor "continue", nor instructions for a compaction."""
    return not request.startswith("/compact") and (request.startswith("/") or len(request.split()) > 2)


def _trimmed(words: list[str]) -> list[str]:
    """At most ten words, not ending in one that points on."""
    kept = words[:MOST]
    while len(kept) > FEWEST and len(words) > len(kept) and _LOOSE.fullmatch(kept[-1]):
        kept.pop()
    return kept


def _sentences(request: str) -> Iterator[str]:
    """Its sentences without politeness, marks and folders; a heading behind a line that ends with a colon says more."""
    lines = [line.strip() for line in _TAG.sub(" ", request).splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].endswith(":"):
        heading = next((line for line in lines[1:] if line.startswith("# ")), "")
        lines = [heading] if heading else [f"{lines[0]} {_MARKS.sub('', lines[1])}", *lines[2:]]
    for line in lines:
        plain = _PATH.sub(r"\1", _URL.sub(r"\1", _MARKS.sub("", line).strip()))
        for sentence in _SENTENCE.split(_ASKING.split(plain)[-1]):
            said = _LEAD.sub("", sentence.strip())
            if said:
                yield said


def _filler(facts: Facts) -> list[str]:
    """Words that make a short title tell sessions apart: the tool used most, and how often."""
    if not facts.tools:
        return ["in", "a", "session", "without", "tools"]
    name, calls = max(facts.tools.items(), key=lambda item: item[1])
    return ["with", *counted(calls, "call").split(), "of", name.split("__")[-1]]
