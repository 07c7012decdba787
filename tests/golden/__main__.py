"""Rewrites the golden files: `python -m tests.golden`, then look at the difference."""

import tempfile
from pathlib import Path

from tests.golden import HERE, NAMES, copied, golden, told
from tests.golden.compacting import rewrite

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        samples = copied(Path(folder))
        for stale in {*HERE.glob("*.json")} - {golden(name) for name in NAMES}:
            stale.unlink()
        for name in NAMES:
            golden(name).write_bytes(told(samples, name))
        rewrite(samples)
