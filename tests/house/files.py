"""The files that belong to the project, found without git: a copy without history has the same house."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
IGNORED = tuple(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split("\n") if line and not line.startswith("#"))


@cache
def kept() -> tuple[Path, ...]:
    """Every file that .gitignore does not keep out."""
    return tuple(below(ROOT))


def below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name == ".git" or any(fnmatch(path.name, pattern) for pattern in IGNORED):
            continue
        if path.is_dir():
            yield from below(path)
        else:
            yield path


def python_files(folder: str) -> list[Path]:
    return [path for path in kept() if path.suffix == ".py" and path.is_relative_to(ROOT / folder)]


def named(path: Path) -> str:
    """A path as a reader of the project writes it."""
    return path.relative_to(ROOT).as_posix()
