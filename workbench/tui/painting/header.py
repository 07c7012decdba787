"""The top line, as words with styles."""

from __future__ import annotations

from rich.text import Text

from ...conversation.wording import counted
from ...workspace.figures import TIKTOKEN, is_counting, made_by
from ...workspace.state import Workspace
from .numbers import mebibytes, thousands
from .palette import Palette
from .text import clip, visible

WIDE = 140  # cells from which the program's own name has room beside what is in the file


def top_line(workspace: Workspace, width: int, palette: Palette) -> Text:
    """What is open: name, size, model, version; on the right window and threshold with their sources."""
    left = [("Compaction Workbench  ", "bold key")] if width >= WIDE else [(" ", "")]  # narrow: the file's name matters more
    left += [*_state(workspace), (visible(clip(workspace.name, 40)), "bold text"), ("  ", "")]
    right: list[tuple[str, str]] = []
    opened = workspace.opened
    if opened is None:
        loading = workspace.loading
        if workspace.problem:
            left.append(("cannot be read", "error"))
        elif loading is not None:
            far = f"{mebibytes(loading.done)} of {mebibytes(loading.size)}"
            left.append((f"reading… {counted(loading.rows, 'record')}, {far}", "muted"))
        return _joined(left, right, width, palette)
    found = opened.inspection
    facts = opened.session.facts
    words = ["sub-agent"] if found.chain.is_sub_agent else []
    words += [mebibytes(facts.size), counted(len(opened.session.index), "record")]
    words += [m.removeprefix("claude-") for m in list(found.models)[:1]]
    if opened.session.index.last_version:
        words.append(f"agent {opened.session.index.last_version}")
    if facts.damaged_lines:
        words.append(counted(facts.damaged_lines, "damaged line"))
    left.append((visible(" · ".join(words)), "muted"))
    right = [("window ", "muted"), (thousands(found.window.tokens), "text"), (f" {found.window.source}", "muted")]
    if found.threshold.auto is not None:
        right += [
            ("  fires at ", "muted"),
            (thousands(found.threshold.auto), "threshold"),
            (f" {found.threshold.preset}", "muted"),
        ]
    else:
        right += [("  fires at ", "muted"), ("the API's limit only", "threshold")]
    return _joined(left, right, width, palette)


def _state(workspace: Workspace) -> list[tuple[str, str]]:
    """What goes on just now: the file grows or is gone, tokens are being counted."""
    cells: list[tuple[str, str]] = []
    if workspace.gone:
        cells.append(("file is gone  ", "warning"))
    elif workspace.live:
        cells.append(("● live  ", "success"))
    if is_counting(workspace):
        found = made_by(workspace, TIKTOKEN)
        cells.append((f"counting {0 if found is None else found.percent}%  ", "warning"))
    return cells


def _joined(left: list[tuple[str, str]], right: list[tuple[str, str]], width: int, palette: Palette) -> Text:
    made_left = Text.assemble(*((t, palette.style(s)) for t, s in left), no_wrap=True, end="")
    made_right = Text.assemble(*((t, palette.style(s)) for t, s in right), no_wrap=True, end="")
    room = width - made_left.cell_len - made_right.cell_len
    if room >= 2:
        return made_left + Text(" " * room) + made_right
    if right and made_right.cell_len + 24 < width:  # the threshold matters more than the model's name
        made_left.truncate(width - made_right.cell_len - 2, overflow="ellipsis")
        return made_left + Text("  ") + made_right
    made_left.truncate(width, overflow="ellipsis")
    return made_left
