"""Telling corrections and lasting rules from other words of the user: the class that is lost first (spec 1, section 12)."""

import re

_CORRECTION = re.compile(
    r"^\W*(no\b(?! problem)|nope|not\b|don'?t\b|do not\b|stop\b|wait\b|hang on|hold on|actually|instead|wrong|undo|revert|skip\b"
    r"|that'?s (not|wrong)|it'?s not|this is not|i (said|meant|didn'?t)|why did you|you (missed|forgot|should|didn'?t)|but\b"
    r"|remove\b|are (you|we) sure|hmm,? (?!perhaps)|can you (remove|undo|revert)|(can|could) we just|those .{0,30} are just)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(never|always|don'?t|do not|must(?:n'?t)?|make sure|ensure|prefer|only use|instead of|please use|avoid|should not"
    r"|shouldn'?t|has to|have to|needs? to be|keep it|without|no longer)\b|\bno \w+, use\b|\buse \w+,? not\b|\bin line with\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
LONGEST = 240  # characters: what is longer is pasted material rather than an instruction


def is_correction(text: str) -> bool:
    """Whether a request turns against what was done."""
    return bool(_CORRECTION.match(text)) and len(text) < 4 * LONGEST


def rules(text: str) -> tuple[str, ...]:
    """Sentences of a request that say how things are to be done from now on; questions are none."""
    if len(text) > 12 * LONGEST:
        return ()
    parts = (part.strip(" -*>\t") for part in _SENTENCE.split(text))
    return tuple(p for p in parts if 8 < len(p) <= LONGEST and not p.endswith("?") and _RULE.search(p))


def states_rule(text: str) -> bool:
    return bool(rules(text))
