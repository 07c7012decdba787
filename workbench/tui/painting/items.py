"""A line of the message list: number, role, kind, tokens and the first words, in columns that hold at any width."""

from collections.abc import Sequence

from rich.segment import Segment

from ...conversation.block import call_words
from ...workspace.figures import CALIBRATED, ROUGH, TIKTOKEN
from ...workspace.view import Item
from .palette import Palette
from .text import clip, one_line, pad

FATE_SIGNS = {"kept": "=", "summarised": "Σ", "dropped": "×", "cleared": "ø", "added": "+", "": " "}
WHOSE = {ROUGH: "rough", TIKTOKEN: "tiktoken", CALIBRATED: "calibr."}


def kind_words(item: Item) -> tuple[str, str]:
    """(what the kind column says, style words): the tool's name for a call, `result` for a result."""
    block = item.block
    if block.kind == "tool_use":
        return block.name or "tool_use", "tool"
    if block.kind == "tool_result":
        return ("result" if not block.error else "result !"), "text" if not block.error else "error"
    if item.row is not None and item.row.is_summary:
        return "summary", "added"
    if block.kind == "reminder" and item.row is not None:
        return item.row.kind.removeprefix("attachment:").replace("_", " "), "muted"
    return block.kind.removeprefix("attachment:").replace("_", " "), "muted" if block.kind in ("thinking", "empty") else "text"


def item_line(
    item: Item, width: int, names: dict[str, str], palette: Palette, tokens: int | None = None, stands_in: bool = False
) -> Sequence[Segment]:
    """One line for `width` cells. Without `tokens` it shows the rough ones; `stands_in` marks them where others are wanted."""
    block = item.block
    kind, kind_style = kind_words(item)
    kind = one_line(kind)
    fate = item.fate or "text"
    number = f"{item.message}" if item.first else ""
    kind_width = 16 if width >= 70 else 11
    role = one_line(item.role if width >= 52 else item.role[:4])
    role_width = 10 if width >= 52 else 5
    words = preview(item, names)
    faded = "summarised" if item.fate in ("summarised", "dropped") else "cleared" if item.fate == "cleared" else "text"
    cells = (
        (FATE_SIGNS[item.fate] + " ", fate),
        (f"{number:>5} ", "muted"),
        (pad(role if item.first else "", role_width), item.role if item.role in ("user", "assistant") else "system"),
        (pad(clip(kind, kind_width - 1), kind_width), kind_style),
        (f"{_number(block.tokens if tokens is None else tokens, stands_in):>8}  ", "muted" if stands_in else "text"),
        (
            clip(one_line(words), max(0, width - 18 - kind_width - role_width)),
            faded if item.fate else "text" if block.kind == "text" else "muted",
        ),
    )
    return [Segment(text, palette.style(style)) for text, style in cells]


def _number(tokens: int, stands_in: bool) -> str:
    return f"~{tokens:,}" if stands_in else f"{tokens:,}"


def preview(item: Item, names: dict[str, str]) -> str:
    """The words of a line: a path or command where a call has one, else the beginning of the text."""
    block = item.block
    if block.kind == "tool_use":
        return call_words(block.head)
    if block.kind == "tool_result":
        name = names.get(block.call, "")
        return f"{name} → {block.head}" if name else f"{block.call} → {block.head}"
    if block.kind == "empty":
        return "(no content)"
    if block.kind == "thinking" and not block.head:
        return "(only its signature is stored)"
    if block.kind == "reminder":
        return block.head.removeprefix("<system-reminder>").strip()
    return block.head


def header_line(width: int, palette: Palette, estimator: str = ROUGH) -> Sequence[Segment]:
    """The names of the columns, for the same width; that of the tokens says whose they are."""
    kind_width = 16 if width >= 70 else 11
    role_width = 10 if width >= 52 else 5
    text = f"{'':2}{'#':>5} {'role':<{role_width}}{'kind':<{kind_width}}{WHOSE[estimator]:>8}  text"
    return [Segment(clip(text, width), palette.style("muted"))]
