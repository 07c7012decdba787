"""What a summary claims that nothing before it supports: paths and quoted names that the conversation never held."""

import re
from collections.abc import Sequence

MOST = 40

_PATH = re.compile(r"(?<![\w/.`-])(?:~|\.{1,2})?/?(?:[\w@+-][\w.@+-]*/)+[\w.@+-]*\w\.[A-Za-z]\w{0,7}\b")
_QUOTED = re.compile(r"`([^`\n]{3,80})`")
_NAME = re.compile(r"^[\w.$:/@#()\[\]<>-]+$")  # an identifier or a path: prose in backticks claims nothing


def unsupported_claims(summary: str, before: Sequence[str]) -> tuple[str, ...]:
    """Paths and `names` of a summary, each once, in order, that stand in none of the texts before it."""
    everything = "\n".join(before)
    found: dict[str, None] = {}
    for claim in (*_PATH.findall(summary), *(q for q in _QUOTED.findall(summary) if _NAME.match(q))):
        core = claim.strip("`").rstrip("().,:;")
        if len(core) > 2 and core not in everything and not _parts_stand(core, everything):
            found[core] = None
    return tuple(found)[:MOST]


def _parts_stand(claim: str, everything: str) -> bool:
    """Whether a path's last part stands there: a summary often writes a path in full that was used from within a folder; of a
    line or column behind it (`file.py:12`) only the name counts."""
    last = claim.replace("\\", "/").rpartition("/")[2].partition(":")[0]
    return bool(last) and last != claim and last in everything
