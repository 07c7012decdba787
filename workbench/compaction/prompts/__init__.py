"""What the summarizer is asked, one file a variant, in our own words (spec 1, sections 6.3-6.5).

There: BASE_COMPACT_PROMPT, PARTIAL_COMPACT_PROMPT, PARTIAL_COMPACT_UP_TO_PROMPT, NO_TOOLS_PREAMBLE.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..variants import FROM, FULL, UP_TO
from . import full, partial_from, up_to
from .frame import Prompt, compose

PROMPTS: Mapping[str, Prompt] = MappingProxyType({FULL: full.PROMPT, FROM: partial_from.PROMPT, UP_TO: up_to.PROMPT})


def prompt_of(variant: str) -> Prompt:
    """The prompt of a variant; every way to compact that cuts nowhere (auto, reactive) asks as a full one."""
    return PROMPTS.get(variant, full.PROMPT)


def instruction(variant: str, instructions: str = "") -> str:
    """The last user message of a summary request: ban, task, analysis, sections, skeleton, own wishes, reminder.

    instructions  what the user or a hook adds; "" for nothing
    """
    return compose(prompt_of(variant), instructions)


def section_names(variant: str) -> tuple[str, ...]:
    """The names of the nine sections, in order."""
    return tuple(section.name for section in prompt_of(variant).sections)
