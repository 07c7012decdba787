"""A summary read back by its sections, as a person would look things up in it."""

import re

from workbench.conversation.text import rough, utf8_length

_HEAD = re.compile(r"^(\d)\. ([A-Z][^\n]*):$", re.MULTILINE)


def sections(summary: str) -> dict[str, str]:
    """{name: text}, by the numbered headings outside fences."""
    bare = re.sub(
        r"^( *)(`{3,})[^\n]*\n.*?^\1\2$", lambda m: re.sub(r"[^\n]", "x", m[0]), summary, flags=re.DOTALL | re.MULTILINE
    )
    heads = list(_HEAD.finditer(bare))
    ends = [head.start() for head in heads[1:]] + [len(summary)]
    return {head[2]: summary[head.end() : end] for head, end in zip(heads, ends, strict=True)}


def tokens(summary: str) -> int:
    """Rough tokens."""
    return rough(utf8_length(summary))
