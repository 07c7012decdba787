"""Writes `sample_sessions/`: small, invented agent sessions that each show one thing about compaction.

`python -m tests.samples`, run from the top of the repository, rewrites the folder; a test proves that the committed files are
byte for byte what this package writes. Nothing here reads a clock or a random source: ids come from uuid5 and sha256, times from
a fixed start.

How to add a sample
* Write `stories/sNN_name.py` with a function `build() -> Files`. Open a `Session` (formats up to 2.1.49) or a `NewestSession`
  (2.1.332) and tell the work as it happened: `prompt(...)`, `step(...)`, `auto_compact(...)` or `compact(...)`. A step is one API
  call: plain strings are its text, `Think(...)` its thinking, and a tool from `tools.py` both the call and the result it brought.
* Do not write token numbers. The session keeps its own meter (`meter.py`): a call's prompt is the one before it, plus the reply,
  plus what was added; tests hold the files against that.
* Words, code and people are invented here. Bulk (logs, tables, listings) comes from `filler.py`, seeded by a name.
* Name the sample in `catalog.py` with the one line that the folder's README prints, run the package, commit both.
"""
