"""The title lines of the Messages tab: what array this is, and what the selected message is."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from ...conversation.wording import counted
from ...workspace import moves
from ...workspace.figures import CALIBRATED, tokens_at, total_of
from ...workspace.state import Workspace
from ...workspace.view import BOUNDARY, CALL, LOADED, NOW, RECORDED, SENT, Column, Item
from .items import kind_words
from .numbers import thousands
from .palette import Palette
from .text import visible

READING_WORDS = {LOADED: "as loaded", SENT: "as sent, with the agent's repairs", RECORDED: "as recorded: exact"}
SHORT_READING_WORDS = {LOADED: "", SENT: "as sent", RECORDED: "as recorded"}
FATE_WORDS = {
    "kept": "kept verbatim across the compaction",
    "summarised": "replaced by the summary",
    "dropped": "not in the array after",
    "cleared": "its content was cleared by a microcompaction",
    "added": "not there before",
}


def _text(cells: list[tuple[str, str]], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text


def _fitting(ways: Sequence[list[tuple[str, str]]], width: int, palette: Palette) -> Text:
    """The first way of saying it that fits; the last one is cut where none does."""
    return _text(next((way for way in ways if sum(cell_len(words) for words, _ in way) <= width), ways[-1]), width, palette)


def column_title(workspace: Workspace, side: int, width: int, palette: Palette) -> Text:
    """What the array of a side is, how many messages and tokens, and how these are known; in fewer words where it is narrow."""
    columns = workspace.columns
    column = None if columns is None else (columns.left, columns.right)[side]
    if column is None:
        return _text([(" " + (workspace.problem_of_view or ""), "warning")], width, palette)
    title, short = (f" {column.title}", "bold text"), (f" {_short_title(workspace, side)}", "bold text")
    context, figures, bare = _context(column), _figures(workspace, side, "tokens "), _figures(workspace, side, "")
    asides, few = _asides(workspace, column, READING_WORDS), _asides(workspace, column, SHORT_READING_WORDS)
    ways = (
        [title, (f"   {counted(column.messages, 'message')}", "muted"), *figures, *context, *asides],
        [short, (f"   {counted(column.messages, 'message')}", "muted"), *figures, *context, *few],
        [short, (f"   {thousands(column.messages)} msg", "muted"), *bare, *context, *few],
        [short, (f"   {thousands(column.messages)} msg", "muted"), *bare, *few],
    )
    return _fitting(ways, width, palette)


def _short_title(workspace: Workspace, side: int) -> str:
    view = workspace.view
    if view.point == CALL:
        return f"call {view.number + 1}"
    if view.point == NOW:
        return "now"
    count = 0 if workspace.opened is None else len(workspace.opened.inspection.boundaries)
    return "after" if side else f"before {view.number + 1}/{count}"


def _figures(workspace: Workspace, side: int, unit: str) -> list[tuple[str, str]]:
    """What the estimator gives for the messages alone."""
    tokens, by = total_of(workspace, side)
    return [(f" · {thousands(tokens)} {unit}", "muted"), (by, "estimated")]


def _context(column: Column) -> list[tuple[str, str]]:
    """What a call of them measured, system prompt and tools included."""
    if column.total is None:
        return []
    style = "exact" if column.total_kind.startswith(("exact", "recorded")) else "estimated"
    return [(f" · context {thousands(column.total)} ", "muted"), (column.total_kind, style)]


def _asides(workspace: Workspace, column: Column, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Which reading of the array it is, what was repaired in it, what a filter hides."""
    cells = []
    reading = workspace.view.reading
    if workspace.view.point != BOUNDARY and words[reading]:
        cells.append((f"   {words[reading]}", "added" if reading == RECORDED else "muted"))
    if column.changes:
        cells.append((f"   {counted(len(column.changes), 'repair')}", "warning"))
    if workspace.filter.is_on:
        cells.append((f"   filter: {workspace.filter.words}", "warning"))
    return cells


def detail_title(workspace: Workspace, width: int, palette: Palette) -> Text:
    """Which message is selected: role, kind, line, size, fate, and the form it is shown in."""
    item = moves.selected_item(workspace)
    if item is None:
        return Text("")
    side = workspace.side if workspace.columns is not None and workspace.columns.right is not None else 0
    kind, style = kind_words(item)
    tokens, by = tokens_at(workspace, side, workspace.cursors[side], item)
    row = item.row
    name = [(f" message {item.message}", "bold text"), (f" {item.role} · ", "muted"), (kind, style)]
    call = [(f" {item.block.call}", "muted")] if item.block.call else []
    facts = [(f" · line {row.line:,}", "muted")] if row is not None and row.line is not None else []
    facts += [(f" · {thousands(tokens)} tokens", "muted"), (f" {by}{_factor(tokens, item, by)}", "estimated")]
    facts += [(f"   {FATE_WORDS[item.fate]}", item.fate)] if item.fate else []
    when = [(f" · {row.timestamp[:19].replace('T', ' ')}", "muted")] if row is not None and row.timestamp else []
    form = [(f"   {workspace.form}", "key")]
    return _fitting(([*name, *call, *facts, *when, *form], [*name, *facts, *when, *form], [*name, *facts, *form]), width, palette)


def _factor(tokens: int, item: Item, by: str) -> str:
    """By how much a calibrated figure is more than the rough one."""
    return f" ×{tokens / item.block.tokens:.2f}" if by == CALIBRATED and item.block.tokens else ""
