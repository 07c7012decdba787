"""A session with its notes beside it. They cover the work up to the second prompt; the worklog is over 2,000 tokens."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..filler import log_lines, rust_source, test_run
from ..newest import NewestSession
from ..session import Files
from ..tools import bash, edit, failed, grep, read

HOME = "/home/tomas/ferryman"
RULES = "# ferryman\n- Rust 2024, no async runtime.\n- A shipped line is never shipped again; a line may be late, never lost."

WORKLOG = "\n".join(
    f"- {hour:02}:{minute:02} {what} ({hour * 7 + minute} segments so far)"
    for hour in range(8, 23)
    for minute, what in (
        (4, "read the rotation code once more; the inode check comes before the size check"),
        (13, "ran `cargo test rotate`; all green, 0.4 s"),
        (22, "compared the segment list with the directory: one file renamed, none lost"),
        (31, "wrote a test that renames the file between two reads; it failed as expected"),
        (40, "moved the cursor into the segment; the test passes"),
        (49, "measured: 48,000 lines per second, as before the change"),
        (57, "noted that `truncate` by copytruncate looks like a shorter file with the same inode"),
    )
)

NOTES = f"""# Session Title
_Five to ten words that name the work, dense._

Ferryman loses lines when logs rotate: find, fix, prove

# Current State
_What is being done right now, what is pending, what comes next._

The rename case is fixed and tested. The copytruncate case is understood but not fixed: the reader has to notice that the file is shorter than its cursor.
Next: a test that truncates under load, then the fix in `Segment::reopen`.

# Task specification
_What the user asked for, and design decisions._

Tomas sees 20 to 300 lines missing after each nightly rotation. Both ways of rotating (rename, copytruncate) must be safe. No async runtime, no new crates.
Decision: the cursor belongs to the segment (inode and offset), no longer to the path.

# Files and Functions
_Important files and why they matter._

- `src/wal/segment.rs`: `Segment::reopen`, where inode and size are compared
- `src/tail.rs`: the loop that polls every 200 ms
- `tests/rotate.rs`: the rename test, and soon the truncate test

# Workflow
_Commands, their order, how to read their output._

1. `cargo test rotate` (0.4 s); a failure prints the missing line numbers
2. `./load.sh 60`: writes 60 seconds of numbered lines; `sort -n out | uniq -c` must show no gap

# Errors & Corrections
_Errors and fixes, what the user corrected, what not to try again._

- fsync after every line: correct but 40 times slower; Tomas: "never again"
- The inotify approach was dropped: it misses renames on the network mount

# Codebase and System Documentation
_Components and how they fit._

tail -> segment -> batch -> ship. Each stage owns its buffer; `ship` acknowledges, and only then the cursor is stored.

# Learnings
_What worked, what did not._

Numbered lines make a gap visible at once. Reading the log of the shipper itself does not: it reports what it read, not what was written.

# Key results
_Exact results the user asked for._

Lines lost in 10 rotations by rename: 214 before, 0 after.

# Worklog
_Step by step, terse._

{WORKLOG}
"""


def build() -> Files:
    """No compaction yet: with these notes a session-memory compaction can be tried on it."""
    s = NewestSession(
        "07-session-notes",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-09T08:00:00Z",
        slug="careful-ferry",
        rules=RULES,
        overhead=24_100,
    )
    s.prompt(
        "We lose 20 to 300 lines after every nightly rotation. Both rename and copytruncate are in use. Find it, fix it, prove it."
    )
    s.step("Where is a rotated file noticed?", grep("inode", "src/wal/segment.rs:58:    if meta.ino() != self.inode {"))
    s.step(read(f"{HOME}/src/wal/segment.rs", rust_source("07 segment", 9_000)))
    s.step(bash("tail -n 120 /var/log/ferryman/ferryman.log", log_lines("07 log", 12_000)))
    s.step(
        failed(
            "cargo test rotate",
            "test rotate::rename_under_load ... FAILED\nmissing lines: 1204..1226\ntest result: FAILED. 0 passed; 1 failed",
        )
    )
    s.step(
        "After a rename the rest of the old file is never read.",
        edit(
            f"{HOME}/src/wal/segment.rs", "self.file = File::open(path)?;", "self.drain()?;\n    self.file = File::open(path)?;"
        ),
    )
    s.step(bash("cargo test", test_run("07 all", 38, "cargo")))
    s.step(
        "The rename case is fixed: 214 lines lost in ten rotations before, none after. Copytruncate is a different fault; shall I go on with it?"
    )
    s.turn_end()
    s.clock.wait(3)
    s.prompt("Yes. And no fsync per line, never again.")
    s.step("First a test that truncates while lines arrive.", read(f"{HOME}/tests/rotate.rs", rust_source("07 test", 7_000)))
    s.step(bash("./load.sh 60", log_lines("07 load", 16_000)))
    s.step(failed("cargo test truncate", "test rotate::copytruncate_under_load ... FAILED\nmissing lines: 88..90"))
    s.step(
        "Three lines are lost: those written between the copy and the truncation are read from offset 0 only if the file is shorter than the "
        "cursor, and here it had grown past it already."
    )
    s.turn_end()
    return {"07-session-notes.jsonl": s.file(), "07-session-notes/session-memory/summary.md": NOTES.encode()}
