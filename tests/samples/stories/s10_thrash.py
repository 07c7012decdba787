"""The window is set to 100,000, so compaction fires at 67,000. A trace of 38,000 tokens is read again after each one, until the agent stops."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..filler import log_lines, rust_source
from ..newest import NewestSession
from ..session import Files
from ..tools import Think, bash, grep, read

HOME = "/home/tomas/ferryman"
RULES = "# ferryman\n- Rust 2024, no async runtime.\n- A shipped line is never shipped again; a line may be late, never lost."
TRACE = f"{HOME}/fixtures/trace-0217.log"

SUMMARY = """Summary:
1. Primary Request and Intent:
   Tomas wants to know which segment of the trace of 17 February was shipped twice, and why. The whole trace has to be compared with the ledger: "every line, no sampling".

2. Key Technical Concepts:
   - A segment is shipped twice if its acknowledgement comes after the lease has run out

3. Files and Code Sections:
   - `fixtures/trace-0217.log`: the trace, some 1,500 lines
   - `src/ship/lease.rs`: `claim`, `release`

4. Errors and fixes:
   - None.

5. Problem Solving:
   {solved}

6. All user messages:
   - "Segment shipped twice on 17 February, see fixtures/trace-0217.log. Which one, and why? Every line, no sampling."

7. Pending Tasks:
   - Compare the trace with the ledger

8. Current Work:
   The trace had just been read whole, in two halves; the comparison was to begin.

9. Optional Next Step:
   Read the trace and compare it. ("Every line, no sampling")"""


def halves() -> tuple[str, str]:
    """The trace in two halves, of about 19,000 tokens each."""
    lines = log_lines("10 trace", 104_000).split("\n")
    middle = len(lines) // 2
    return "\n".join(lines[:middle]), "\n".join(lines[middle:])


def build() -> Files:
    """Three automatic compactions, each refilled within two calls; then the stop."""
    s = NewestSession(
        "10-thrash",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-20T14:30:00Z",
        slug="turning-eddy",
        rules=RULES,
        overhead=40_200,
    )
    first, second = halves()
    whole = first.count("\n") + second.count("\n") + 2
    parts = (
        read(TRACE, first, 1, whole, offset=1, limit=first.count("\n") + 1),
        read(TRACE, second, first.count("\n") + 2, whole, offset=first.count("\n") + 2, limit=second.count("\n") + 1),
    )
    s.prompt("Segment shipped twice on 17 February, see fixtures/trace-0217.log. Which one, and why? Every line, no sampling.")
    s.step(
        Think("The lease code first, then the trace."),
        grep("lease", "src/ship/lease.rs:19:pub(crate) fn claim(segment: u32) -> Lease {"),
    )
    s.step(read(f"{HOME}/src/ship/lease.rs", rust_source("10 lease", 5_000)))
    s.step(bash("wc fixtures/trace-0217.log", f"  {whole}  10800 104021 fixtures/trace-0217.log"))
    s.step("I need the whole trace for this. Its first half:", parts[0])
    start = len(s.rows)
    s.step("The second half:", parts[1])
    last_round = [row for row in s.rows[start:] if "uuid" in row]
    s.compact(
        "auto",
        SUMMARY.format(solved="The lease code is read; the trace is not compared yet."),
        kept=last_round,
        references=(TRACE,),
    )
    s.step("The first half is not in front of me any more. I'll read it again.", parts[0])
    s.compact("auto", SUMMARY.format(solved="Nothing new since the last summary."), kept=[], references=(TRACE,))
    s.step("Now neither half is. I'll read both at once.", *parts)
    s.compact("auto", SUMMARY.format(solved="Nothing new since the last summary."), kept=[], references=(TRACE,))
    s.step("The trace is not in the summary. I'll read both halves again.", *parts)
    s.context_stopped(
        "Stopped: the context was full again within three turns of a compaction, three times in a row. One result refills it: "
        "fixtures/trace-0217.log. Read smaller parts, or start a new session."
    )
    return {"10-thrash.jsonl": s.file()}
