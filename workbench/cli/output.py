"""The only module that writes to stdout and stderr: JSON for programs, text for people, complaints for both."""

import json
import os
import sys
from collections.abc import Iterable, Sequence

from ..conversation.text import without_surrogates

NOTHING = "-"  # what a person sees for an unknown number: never 0


def write_json(value: object) -> None:
    """One JSON object on stdout, nothing else; lone surrogates stay escaped, so that it is always valid."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = json.dumps(value, separators=(",", ":")).encode()
    write_bytes(data + b"\n")


def write_bytes(data: bytes) -> None:
    sys.stdout.flush()
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(data.decode())
    else:
        stream.write(data)
        stream.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Lines of text for people, safe to print whatever a session holds."""
    for line in lines:
        print(without_surrogates(line).replace("\x1b", "␛").replace("\x00", "␀"))


def complain(sentence: str) -> None:
    """A sentence on stderr."""
    print(f"workbench: {without_surrogates(sentence)}", file=sys.stderr)


def hush() -> None:
    """After the reader of our output went away: nothing more is written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def number(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as aligned columns, two blanks apart; the columns in `right` are flush right."""
    if not rows:
        return []
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.rjust(widths[i]) if i in right else cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()
        for row in rows
    ]


def json_bytes(value: object, indent: int | None = None) -> bytes:
    """`value` as UTF-8 JSON."""
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators).encode()
