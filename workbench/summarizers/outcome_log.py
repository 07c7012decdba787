"""Where outcomes are kept over many sessions: a file of JSON lines in the user's data folder. At the edge.

It holds models, outcomes and numbers, nothing of what was said. A line that cannot be read is passed over.
"""

import json
import os
from dataclasses import asdict, fields
from pathlib import Path

from ..errors import WriteRefused
from .outcomes import KINDS, Asked

NAME = "summary-outcomes.jsonl"
_NUMBERS = ("prompt", "output", "duration_ms", "retries")
_FIELDS = tuple(f.name for f in fields(Asked))


def log_path() -> Path:
    """The file; WORKBENCH_DATA_DIR is honoured."""
    from platformdirs import user_data_dir

    return Path(os.environ.get("WORKBENCH_DATA_DIR") or user_data_dir("workbench")) / NAME


def remember(record: Asked, path: Path | None = None) -> None:
    """Adds a line. Raises WriteRefused with the reason; two programs may write at once."""
    path = path or log_path()
    line = json.dumps(asdict(record), ensure_ascii=True) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        raise WriteRefused(f"Cannot write {path}: {(error.strerror or str(error)).lower()}.") from error


def remembered(path: Path | None = None) -> tuple[Asked, ...]:
    """Every record, oldest first; () where nothing was ever asked or the file cannot be read."""
    try:
        lines = (path or log_path()).read_bytes().split(b"\n")
    except OSError:
        return ()
    return tuple(record for line in lines if (record := _read(line)) is not None)


def _read(line: bytes) -> Asked | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("model"), str) or value.get("outcome") not in KINDS:
        return None
    known = {name: value[name] for name in _FIELDS if _is_of_its_type(name, value.get(name))}
    return Asked(**known)


def _is_of_its_type(name: str, value: object) -> bool:
    if name in _NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str)
