"""What every prompt has around its task: the ban on tools in front and behind, how to analyse, the skeleton of the answer.

Spec 1, section 6.4. The agent's whole set of tools goes out with the request, for the cache's sake, and a model that
sees tools sometimes uses them; so the ban comes first and last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .sections import Section

BAN = """\
ANSWER IN TEXT ONLY. CALL NO TOOL.

- Everything you need stands in the conversation above; there is nothing to look up.
- A call to any tool is refused, and it uses up the one turn you have: the summary would be lost.
- The whole answer is one <analysis> block and then one <summary> block."""

REMINDER = """\
Once more: no tool, of whatever kind. Text only: one <analysis> block, then one <summary> block. A call is refused and \
ends the attempt without a summary."""

AIM = """\
The reader is an agent that has the summary and not the messages. The measure is whether it can go on with the work at once \
and without a mistake, not whether the text reads well. What is in the files can be read again; what the user said cannot."""

HOW = """\
Think it through inside <analysis> tags before you write:

- Go over the messages from the oldest to the newest. For each stretch of them note what the user wanted, how it was \
approached, what was decided and on which grounds, and the particulars: paths, complete pieces of code, signatures, edits.
- Note what failed and how it was put right, and where the user objected or asked for it to be done in another way.
- Then check the summary against that list: every section filled, every message of the user there, names, numbers and \
wording as they were. Mend what is missing before you write it out."""

OWN_WISHES = """\
The following was asked for this summary in particular. It adds to the above and decides where the two differ; it does not \
change the form of the answer:"""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a variant asks.

    task      what is summarised and what the summary is for
    scope     how far back the analysis goes, added to it; "" for everything
    sections  the nine, in order
    """

    task: str
    sections: tuple[Section, ...]
    scope: str = ""


def compose(prompt: Prompt, instructions: str) -> str:
    """The whole instruction, its parts in the order of the spec; blank `instructions` leave no trace."""
    parts = [BAN, prompt.task, AIM, HOW]
    if prompt.scope:
        parts.append(prompt.scope)
    parts += [_asked(prompt.sections), _skeleton(prompt.sections)]
    if instructions.strip():
        parts.append(f"{OWN_WISHES}\n\n{instructions.strip()}")
    return "\n\n".join([*parts, REMINDER])


def _asked(sections: Sequence[Section]) -> str:
    lines = (f"{number}. {section.name}: {section.asks}" for number, section in enumerate(sections, 1))
    return "\n".join(["The summary has these nine sections, numbered and named like this:", "", *lines])


def _skeleton(sections: Sequence[Section]) -> str:
    lines = ["<analysis>", "[your notes]", "</analysis>", "", "<summary>", *_blanks(sections), "</summary>"]
    return "\n".join(["The answer has this form:", "", *lines])


def _blanks(sections: Sequence[Section]) -> Iterator[str]:
    for number, section in enumerate(sections, 1):
        yield f"{number}. {section.name}:"
        yield f"   {section.blank}"
        if number < len(sections):
            yield ""
