"""Rewrites the sample folder: `python -m tests.samples [FOLDER]`, by default `sample_sessions` of the current directory."""

import sys
from pathlib import Path

from .catalog import write_all

if __name__ == "__main__":
    write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "sample_sessions"))
