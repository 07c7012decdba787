"""What `inspect --json` tells of each sample, as files one can read: a change of any figure shows as a difference.

`python -m tests.golden`, run from the top of the repository, rewrites them; look at what changed before it is committed.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path

from workbench.cli import main

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "sample_sessions"
NAMES = tuple(sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
WRITTEN = 1_900_000_000.0  # seconds: behind every row of the samples, so that notes are as new as their session


def copied(folder: Path) -> Path:
    """The samples below a folder, all written at one time whenever they were checked out."""
    copy = Path(shutil.copytree(SAMPLES, folder / SAMPLES.name))
    for path in copy.rglob("*"):
        os.utime(path, (WRITTEN, WRITTEN))
    return copy


def told(samples: Path, name: str) -> bytes:
    """The golden file of a sample: the JSON as it is told, laid out."""
    shown = io.BytesIO()
    with chdir(samples.parent), redirect_stdout(io.TextIOWrapper(shown, encoding="utf-8")) as text:
        code = main(["inspect", f"{samples.name}/{name}.jsonl", "--json", "--settings", "none"])
        text.flush()
    if code:
        sys.exit(f"inspect ended with {code} on {name}")
    found = json.loads(shown.getvalue())
    return json.dumps(found, ensure_ascii=False, indent=1).encode() + b"\n"


def golden(name: str) -> Path:
    """Where the golden file of a sample is."""
    return HERE / f"{name}.json"
