"""Memory of the product's index of a session: `python -m tests.tools.index_size PATH` prints rows and bytes.

A process of its own, so that nothing but the index is counted, and only what stays once reading is over.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from pathlib import Path

from workbench.storage import read_index


def index_bytes(path: Path) -> tuple[int, int]:
    """Rows of the file and the bytes Python holds for their index."""
    with path.open("rb") as file:
        rows = sum(1 for _ in file)
    tracemalloc.start()
    index = read_index(path).index
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del index
    return rows, held


if __name__ == "__main__":
    print(*index_bytes(Path(sys.argv[1])))
