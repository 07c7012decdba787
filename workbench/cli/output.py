"""The only module that writes to stdout and stderr: JSON for programs, text for people, complaints for both."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from ..conversation.text import without_surrogates
from ..errors import WriteRefused

NOTHING = "-"  # what a person sees for an unknown number: never 0
_SIGNS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_SIGNS_BUT_BREAKS = {code: sign for code, sign in _SIGNS.items() if chr(code) not in "\t\n"}


def write_json(value: object) -> None:
    """One JSON object on stdout, nothing else; lone surrogates stay escaped, so that it is always valid."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = json.dumps(value, separators=(",", ":")).encode()
    write_bytes(data + b"\n")


def write_bytes(data: bytes) -> None:
    """Raises WriteRefused where stdout takes nothing, BrokenPipeError where its reader went away."""
    with _delivery():
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            sys.stdout.write(data.decode())
        else:
            stream.write(data)
            stream.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Lines of text for people, safe to print whatever a session holds. Raises as `write_bytes` does."""
    shown = [_shown(line, _SIGNS_BUT_BREAKS) for line in lines]
    with _delivery():
        encoding = sys.stdout.encoding or "utf-8"
        for line in shown:
            print(line.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()


def complain(sentence: str) -> None:
    """A sentence on stderr, on one line."""
    print(f"workbench: {_shown(sentence, _SIGNS)}", file=sys.stderr)


def _shown(text: str, signs: dict[int, int]) -> str:
    """The text with signs in place of what would act on a terminal."""
    return without_surrogates(text).translate(signs)


@contextmanager
def _delivery() -> Iterator[None]:
    if sys.stdout is None:
        raise WriteRefused("There is no standard output to write to; redirect it to a file.")
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        hush()
        raise WriteRefused(f"Cannot write to standard output: {(error.strerror or str(error)).lower()}.") from error


def hush() -> None:
    """After standard output took no more: nothing is written at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def number(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as aligned columns, two blanks apart; the columns in `right` are flush right. A cell stays on its line."""
    if not rows:
        return []
    rows = [[_shown(cell, _SIGNS) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def json_bytes(value: object, indent: int | None = None) -> bytes:
    """`value` as UTF-8 JSON."""
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators).encode()
