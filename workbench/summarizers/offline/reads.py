"""Which passages of files were read: where to look again, when nothing of a file was changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...conversation.row import Row
from ...memory.words import given

RANGES = 3  # passages named of one file, the newest


@dataclass(frozen=True, slots=True)
class Passages:
    """passages: (first line, number of lines) of the reads that asked for a part, newest first; 0 lines: to the end."""

    path: str
    passages: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        told = [f"{first}-{first + lines - 1}" if lines else f"from {first}" for first, lines in self.passages[:RANGES]]
        return f"`{self.path}`" + (f" (lines {', '.join(told)})" if told else "")


def passages_read(rows: Iterable[Row]) -> tuple[Passages, ...]:
    """The files of all reads that gave something, the one read last first."""
    asked: dict[str, Mapping[str, object]] = {}
    found: dict[str, dict[tuple[int, int], None]] = {}
    for row in rows:
        for block in row.blocks:
            if block.kind == "tool_use" and block.name == "Read":
                asked[block.call] = given(block)
            elif block.kind == "tool_result" and block.call in asked and not block.error:
                value = asked.pop(block.call)
                path, first, lines = value.get("file_path"), value.get("offset"), value.get("limit")
                if isinstance(path, str):
                    passages = found.pop(path, {})
                    if isinstance(first, int) or isinstance(lines, int):
                        key = (first if isinstance(first, int) else 1, lines if isinstance(lines, int) else 0)
                        passages = {key: None} | passages
                    found[path] = passages
    return tuple(Passages(path, tuple(passages)) for path, passages in reversed(found.items()))
