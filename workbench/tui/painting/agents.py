"""The list of a session's sub-agents, a line each."""

from collections.abc import Sequence

from rich.segment import Segment

from ...workspace.agents import PARENT, Agent
from .numbers import mebibytes, thousands
from .palette import Palette
from .text import clip, one_line, pad


def agents_header(width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns."""
    words = f"{'sub-agent':<20}{'size':>9}{'calls':>8}{'its result':>13}  what it was asked"
    return [Segment(clip(words, width), palette.style("muted"))]


def agent_line(agent: Agent, width: int, palette: Palette) -> Sequence[Segment]:
    """Id, size, calls, the line of the result that came of it, and its task; of the parent session: that it is that."""
    is_parent = agent.id == PARENT
    words = agent.problem or (agent.link.task if agent.link else "")
    if is_parent and not words:
        words = "the session that this sub-agent belongs to"
    cells = (
        (pad(one_line("the session" if is_parent else agent.id), 19) + " ", "bold text" if is_parent else "text"),
        (f"{mebibytes(agent.size):>9}", "muted"),
        (f"{'…' if agent.calls is None and not agent.problem else thousands(agent.calls or 0):>8}", "text"),
        (f"{f'line {agent.link.line:,}' if agent.link else '':>13}  ", "muted"),
        (one_line(words), "error" if agent.problem else "muted"),
    )
    out, room = [], width
    for text, style in cells:
        shown = clip(text, room)
        room -= len(text)
        out.append(Segment(shown, palette.style(style)))
        if room <= 0:
            break
    return out
