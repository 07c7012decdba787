"""The Pairs tab in words and lines: counts, a line a pair, what a cut would part, and the titles of the two halves."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text

from ...conversation.pairing import ANSWERED, DUPLICATE, MISPLACED, UNANSWERED, UNASKED, Pairs
from ...conversation.wording import counted
from ...workspace.pairs_view import ERROR, INTERRUPTED, UNPAIRED, CutHere, PairLine, PairsView
from ...workspace.state import ALL, ERRORS, FAULTY
from ...workspace.view import Item
from .document import Document
from .items import preview
from .numbers import thousands
from .palette import Palette
from .prose import wrapped
from .text import clip, one_line, pad, visible

WIDE = 100  # cells from which the lines of the file have a column

SIGNS = {ANSWERED: " ", ERROR: "!"}
STYLES = {ANSWERED: "muted", ERROR: "warning"}
FILTER_WORDS = {ALL: "", FAULTY: "only what is at fault", ERRORS: "only errors"}

NO_RESULT = {
    UNANSWERED: "No result follows in the next message: the API refuses the array here.",
    INTERRUPTED: "The user broke off before a result came: the API refuses the array until it is repaired.",
    MISPLACED: "Its result does not stand in the next message, and no other place of this array holds it.",
    UNPAIRED: "The API's own result is not in the same message.",
}
NO_CALL = {
    UNASKED: "No call for it in the reply before: the API refuses the array here.",
    MISPLACED: "Its call is not in the reply right before it.",
    DUPLICATE: "A second result of a call that has one already: the API takes a single one.",
    UNPAIRED: "The call that the API answered is not in the same message.",
}


def counts_title(view: PairsView, title: str, wanted: str, width: int, palette: Palette) -> Text:
    """Which array it is and its counts, the same as `inspect` gives; faults stand out."""
    pairs = view.pairs
    cells = [(f" {counted(pairs.calls, 'call')}, {counted(pairs.results, 'result')}", "bold text")]
    if errors := view.counts.get(ERROR, 0):
        cells.append((f" · {counted(errors, 'error')}", "warning"))
    faults = fault_counts(pairs)
    cells += [(f" · {count} {name}", "error") for name, count in faults]
    if interrupted := view.counts.get(INTERRUPTED, 0):
        cells.append((f" ({interrupted} interrupted)", "warning"))
    if pairs.pairs and not faults:
        cells.append((" · every call has its result", "success"))
    if FILTER_WORDS[wanted]:
        cells.append((f"   {FILTER_WORDS[wanted]}", "key"))
    cells.append((f"   {title}", "muted"))
    return _text(cells, width, palette)


def fault_counts(pairs: Pairs) -> list[tuple[str, int]]:
    """(name, how many) of every kind of fault there is; interrupted calls are among the unanswered."""
    named = (
        ("duplicate result" + "s" * (len(pairs.duplicate_results) > 1), pairs.duplicate_results),
        ("duplicate call" + "s" * (len(pairs.duplicate_calls) > 1), pairs.duplicate_calls),
        ("misplaced", pairs.misplaced),
        ("server unpaired", pairs.server_unpaired),
        ("unasked", pairs.unasked),
        ("unanswered", pairs.unanswered),
    )
    return [(name, len(ids)) for name, ids in named if ids]


def empty_words(view: PairsView, wanted: str) -> str:
    """Why no pair is listed."""
    if not view.lines:
        return "no tool was called in this array"
    if wanted == FAULTY:
        return "nothing is at fault: every call has its result; f shows all pairs"
    return "no result is an error; f shows all pairs"


def _widths(width: int) -> tuple[int, int]:
    """Cells of the tool's name and of the lines of the file."""
    return (30, 16) if width >= 150 else (22, 16) if width >= WIDE else (13, 0)


def tool_words(name: str) -> str:
    """A tool's name as a list shows it: of `mcp__server__tool` the tool first, since that tells one from another."""
    server, found, tool = visible(name, newlines=False).removeprefix("mcp__").partition("__")
    return f"{tool} · {server}" if found and name.startswith("mcp__") else visible(name, newlines=False) or "?"


def pair_header(width: int, palette: Palette) -> Sequence[Segment]:
    """The names of the columns, for the same width."""
    tool, lines = _widths(width)
    text = f" {'status':<14}{'tool':<{tool}}{'messages':<12}{'~call':>7}{'~result':>9}  "
    text += f"{'lines':<{lines}}" if lines else ""
    return [Segment(clip(text + "what", width), palette.style("muted"))]


def pair_line(line: PairLine, items: Sequence[Item], width: int, palette: Palette) -> Sequence[Segment]:
    """One pair for `width` cells: status, tool, from which message to which, tokens of both halves, lines, first words."""
    call, result = _half(items, line.call), _half(items, line.result)
    tool, lines = _widths(width)
    status = STYLES.get(line.status, "bold error")
    shown = call or result
    room = width - 46 - tool - lines
    cells = (
        (pad(f" {SIGNS.get(line.status, '×')} {line.status}", 15), status),
        (pad(clip(tool_words(line.tool), tool - 1), tool), "tool"),
        (pad(_between(_message_of(call), _message_of(result)), 12), "text"),
        (f"{_tokens(call):>7}{_tokens(result):>9}  ", "text"),
        (pad(_between(_line_of(call), _line_of(result)), lines) if lines else "", "muted"),
        (_what(preview(shown, {line.id: line.tool}), room) if shown is not None else "", "muted"),
    )
    return [Segment(text, palette.style(style)) for text, style in cells]


def _what(words: str, room: int) -> str:
    """The first words that fit; of a path the last ones, since its end tells one from another."""
    shown = one_line(words)
    if shown.startswith("/") and " " not in shown and room > 1 and cell_len(shown) > room:
        while cell_len(shown) >= room:
            shown = shown[max(1, (cell_len(shown) - room) // 2) :]
        return f"…{shown}"
    return clip(shown, room)


def cut_title(view: PairsView, cut: CutHere | None, width: int, palette: Palette) -> Text:
    """Whether a cut right before the selected row is valid, which pairs it would part, and where it would move to."""
    if cut is None:
        return Text("")
    cells = [(" cut before ", "muted"), (_place(view.items[cut.item]), "text")]
    if cut.is_valid:
        return _text([*cells, (": valid", "success"), (", it parts nothing", "muted")], width, palette)
    cells.append((": not valid", "warning"))
    if cut.parted:
        named = ", ".join(_pair_words(view, line) for line in cut.parted[:6])
        more = f" and {len(cut.parted) - 6} more" if len(cut.parted) > 6 else ""
        cells.append((f", parts {named}{more}", "text"))
    if cut.splits:
        cells.append((", splits a reply", "text"))
    return _text([*cells, (f" → moves back to {_place(view.items[cut.moved])}", "key")], width, palette)


def half_title(name: str, item: Item | None, width: int, palette: Palette) -> Text:
    """What stands below: the call or its result, in which message, how large."""
    cells = [(f" {name}", "bold text")]
    if item is not None:
        if item.block.name:
            cells.append((f"   {item.block.name}", "tool"))
        line = _line_of(item)
        where = f"   message {item.message}" + (f" · line {thousands(line)}" if line is not None else "")
        cells.append((f"{where} · {thousands(item.block.tokens)} tokens", "muted"))
        cells.append((" rough", "estimated"))
        if item.block.call:
            cells.append((f" · {item.block.call}", "muted"))
    return _text(cells, width, palette)


def missing_half(words: str, width: int) -> Document:
    """Why one half is not there, as a sentence."""
    return Document.of(wrapped(words, width), "warning")


def _half(items: Sequence[Item], index: int | None) -> Item | None:
    return None if index is None else items[index]


def _line_of(item: Item | None) -> int | None:
    return item.row.line if item is not None and item.row is not None else None


def _message_of(item: Item | None) -> int | None:
    return None if item is None else item.message


def _between(first: int | None, second: int | None) -> str:
    return f"{'–' if first is None else first} → {'–' if second is None else second}"


def _tokens(item: Item | None) -> str:
    return "–" if item is None else thousands(item.block.tokens)


def _place(item: Item) -> str:
    line = _line_of(item)
    return f"message {item.message}" if line is None else f"line {thousands(line)}"


def _pair_words(view: PairsView, line: PairLine) -> str:
    call, result = _half(view.items, line.call), _half(view.items, line.result)
    return f"{tool_words(line.tool)} {_between(_message_of(call), _message_of(result))}"


def _text(cells: Sequence[tuple[str, str]], width: int, palette: Palette) -> Text:
    text = Text.assemble(*((visible(t, newlines=False), palette.style(s)) for t, s in cells), no_wrap=True, end="")
    text.truncate(width, overflow="ellipsis")
    return text
