"""Paths in columns: cut at the start, for the end of a path tells most."""

from rich.cells import cell_len

from .text import ELLIPSIS


def clip_start(text: str, width: int) -> str:
    """A visible one-line text cut to `width` cells, an ellipsis in place of its beginning."""
    if cell_len(text) <= width:
        return text
    start = 0
    while start < len(text) and cell_len(text[start:]) > max(0, width - 1):
        start += 1
    return (ELLIPSIS + text[start:]) if width > 0 else ""
