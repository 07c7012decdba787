"""How much of each chosen file comes back, and why not all of it (spec 1, section 10)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...conversation.text import compact_json
from ...conversation.wording import counted
from ..paths import display_path
from ..result import LeftOut
from ..settings import Settings
from ..working_set import DISK, UNKNOWN, SeenFile
from .choosing import KIND
from .piece import CUT_MARK, Piece, start_of, tokens_in

REFERENCE = "compact_file_reference"


def restored_files(
    files: Sequence[SeenFile], contents: Mapping[str, str] | None, cwd: str | None, settings: Settings
) -> tuple[tuple[Piece, ...], tuple[LeftOut, ...]]:
    """The chosen files within the budgets; `contents` are those on disk by path, None: the transcript's are taken.

    A file that cannot be read is not replaced by another; one that does not fit is skipped, and a later one may fit.
    """
    budget = settings.number("restoreTokenBudget")
    pieces: list[Piece] = []
    left: list[LeftOut] = []
    used = 0
    for file in files:
        piece, why = _piece(_as_on_disk(file, contents), cwd, settings)
        size = tokens_in(compact_json(piece.fields)) if piece is not None else 0
        if piece is not None and used + size > budget:
            piece, why = None, f"{size:,} tokens do not fit: {used:,} of the {budget:,} for all files are used"
        if piece is not None:
            used += size
            pieces.append(piece)
        if why:
            left.append(LeftOut(KIND, file.path, why))
    return tuple(pieces), tuple(left)


def _as_on_disk(file: SeenFile, contents: Mapping[str, str] | None) -> SeenFile:
    if contents is None:
        return file
    text = contents.get(file.path)
    if text is None:
        return replace(file, text=None, source=UNKNOWN, lines=(), is_large=False, why="it could not be read from disk")
    return replace(file, text=text, source=DISK, lines=(), total=text.count("\n") + 1, is_large=False, why="as it is on disk")


def _piece(file: SeenFile, cwd: str | None, settings: Settings) -> tuple[Piece | None, str]:
    """A file within its own budget, and what of it does not come back, "" for nothing."""
    most = settings.number("restoreTokensPerFile")
    size = _whole_size(file)
    if settings.text("restoreLargeFile") == "reference" and (file.is_large or size > most):
        words = f"about {size:,} tokens are" if size else "it was"
        return _reference(file, cwd), f"only named: {words} over the {most:,} of one file"
    if file.text is None:
        return None, f"its contents are not known: {file.why or 'the transcript does not hold them'}"
    text = start_of(file.text, most)
    tokens, all_tokens = tokens_in(text), tokens_in(file.text)
    lines = _ranges(file)
    reasons = [f"cut to {tokens:,} of {all_tokens:,} tokens, from its start"] if tokens < all_tokens else []
    reasons += [f"the transcript holds only lines {lines}"] if lines else []
    told = f"{file.path}: {counted(tokens, 'token')}, {file.why or 'newest contents known'}{f', lines {lines}' if lines else ''}"
    fields = _fields(file, text, cwd)
    piece = Piece(KIND, file.path, _text(file, text, lines), tokens, told, fields, tokens < all_tokens)
    return piece, "; ".join(reasons)


def _whole_size(file: SeenFile) -> int:
    """Rough tokens of the whole file; where only lines of it are known, in proportion."""
    known = tokens_in(file.text) if file.text is not None else 0
    shown = sum(last - first + 1 for first, last in file.lines)
    return known * max(file.total, shown) // shown if shown and file.total is not None else known


def _ranges(file: SeenFile) -> str:
    if not file.lines:
        return ""
    ranges = ", ".join(f"{first:,}-{last:,}" for first, last in file.lines)
    return f"{ranges} of {file.total:,}" if file.total is not None else ranges


def _text(file: SeenFile, text: str, lines: str) -> str:
    source = "as it is on disk now" if file.source == DISK else "the newest contents that the conversation holds"
    parts = [
        f"{file.path} was read before the compaction ({source}{f', lines {lines}' if lines else ''}):",
        _numbered(file, text),
    ]
    if file.text is not None and len(text) < len(file.text):
        parts.append(CUT_MARK.format(kept=tokens_in(text), all=tokens_in(file.text), name=file.path))
    return "\n".join(parts)


def _numbered(file: SeenFile, text: str) -> str:
    numbers = [n for first, last in file.lines for n in range(first, last + 1)] or None
    return "\n".join(
        f"{numbers[at] if numbers and at < len(numbers) else at + 1}\t{line}" for at, line in enumerate(text.split("\n"))
    )


def _fields(file: SeenFile, text: str, cwd: str | None) -> Mapping[str, Any]:
    count = text.count("\n") + 1
    first = file.lines[0][0] if file.lines else 1
    total = file.total if file.total is not None else first + (file.text or "").count("\n")
    inner = {"filePath": file.path, "content": text, "numLines": count, "startLine": first, "totalLines": total}
    content = {"type": "text", "file": inner}
    return {"type": KIND, "filename": file.path, "content": content, "displayPath": display_path(file.path, cwd)}


def _reference(file: SeenFile, cwd: str | None) -> Piece:
    text = f"{file.path} was read before the compaction. It is too large to bring back; read it again where it is needed."
    fields = {"type": REFERENCE, "filename": file.path, "displayPath": display_path(file.path, cwd)}
    return Piece(REFERENCE, file.path, text, tokens_in(text), f"{file.path}: named only, since it is large", fields, True)
