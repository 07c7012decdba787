"""Skills that were invoked: the start of each comes back, newest first, within a common budget (spec 1, section 10)."""

from collections.abc import Sequence

from ..result import LeftOut
from ..settings import Settings
from ..working_set import Skill
from .piece import CUT_MARK, Piece, start_of, tokens_in

KIND = "invoked_skills"


def restored_skills(skills: Sequence[Skill], settings: Settings) -> tuple[Piece | None, tuple[LeftOut, ...]]:
    """All skills that fit as one attachment, None where none does; and what was cut or skipped."""
    most, budget = settings.number("skillTokens"), settings.number("skillsTokenBudget")
    taken: list[Skill] = []
    left: list[LeftOut] = []
    texts: list[str] = []
    used = 0
    cut = False
    for skill in sorted(skills, key=lambda s: -s.order):
        if skill.content is None:
            left.append(LeftOut("skill", skill.name, "its text is not in the transcript"))
            continue
        text, size = start_of(skill.content, most), tokens_in(skill.content)
        tokens = tokens_in(text)
        if used + tokens > budget:
            left.append(
                LeftOut("skill", skill.name, f"{tokens:,} tokens do not fit: {used:,} of the {budget:,} for all skills are used")
            )
            continue
        used += tokens
        cut |= tokens < size
        taken.append(Skill(skill.name, skill.path, text, skill.order))
        texts.append(_text(skill, text, size))
        if tokens < size:
            left.append(LeftOut("skill", skill.name, f"cut to {tokens:,} of {size:,} tokens, from its start"))
    if not taken:
        return None, tuple(left)
    names = ", ".join(s.name for s in taken)
    fields = {"type": KIND, "skills": [{"name": s.name, "path": s.path, "content": s.content} for s in taken]}
    head = "Skills that were invoked before the compaction, newest first. They still hold:"
    return Piece(KIND, names, "\n\n".join((head, *texts)), used, f"skills {names}: {used:,} tokens", fields, cut), tuple(left)


def _text(skill: Skill, text: str, size: int) -> str:
    where = f" ({skill.path})" if skill.path else ""
    mark = "\n" + CUT_MARK.format(kept=tokens_in(text), all=size, name=skill.path or skill.name) if tokens_in(text) < size else ""
    return f"## {skill.name}{where}\n{text}{mark}"
