"""Why did it not fire? A percent override alone does nothing in 2.1.332; the gateway's limit is what ends it, and a reactive compaction follows."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..filler import rust_source, test_run
from ..newest import NewestSession
from ..session import Files
from ..tools import Think, bash, edit, grep, read

HOME = "/home/tomas/ferryman"
RULES = "# ferryman\n- Rust 2024, no async runtime.\n- The office gateway takes 25,000 tokens a request."

SUMMARY = """Summary:
1. Primary Request and Intent:
   Back-pressure for ferryman: when the receiver is slow, batches are to shrink, not queue up.

2. Key Technical Concepts:
   - Additive increase, halving on a timeout

3. Files and Code Sections:
   - `src/ship/batch.rs`: `fill` decides the size of a batch

4. Errors and fixes:
   - None.

5. Problem Solving:
   The size is decided in one place, `fill`.

6. All user messages:
   - "Ferryman should ship smaller batches when the receiver is slow. I set CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=10 because the gateway only takes 25,000 tokens, so it should compact at 18,000."

7. Pending Tasks:
   - Halve the size on a timeout, with a test

8. Current Work:
   Reading the stages after `batch.rs`; the newest four rounds follow this summary verbatim.

9. Optional Next Step:
   Change `fill`."""


def build() -> Files:
    """Six rounds, the last four of about 2,000 tokens each; the first two are summarised, four are kept. Trigger `auto`, no error row."""
    s = NewestSession(
        "12-reactive",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-24T09:20:00Z",
        slug="narrow-lock",
        rules=RULES,
        overhead=13_900,
    )
    s.prompt(
        "Ferryman should ship smaller batches when the receiver is slow. I set CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=10 because the gateway only takes "
        "25,000 tokens, so it should compact at 18,000."
    )
    s.step(
        Think("Where is the size of a batch decided?"),
        grep("fn fill", "src/ship/batch.rs:44:pub(crate) fn fill(&mut self, limit: usize) -> Batch {"),
    )
    s.step(read(f"{HOME}/src/ship/batch.rs", rust_source("12 batch", 4_600)))
    start = len(s.rows)
    for stage in ("ack", "send", "retry", "metrics"):
        s.step(f"What `{stage}` does with a batch:", read(f"{HOME}/src/ship/{stage}.rs", rust_source(f"12 {stage}", 5_200)))
    kept = [row for row in s.rows[start:] if "uuid" in row]
    s.compact("auto", SUMMARY, kept=kept)
    s.step(
        "The size is decided in `fill` alone; I'll halve it there after a timeout.",
        edit(f"{HOME}/src/ship/batch.rs", "let size = limit;", "let size = if self.timed_out { limit / 2 } else { limit };"),
    )
    s.step(bash("cargo test batch", test_run("12 batch", 12, "cargo")))
    s.step("Batches are halved after a timeout and grow by one line with each good answer.")
    s.turn_end()
    s.prompt("It never compacted at 18,000, though, did it? It only did when the gateway complained.")
    s.step(
        "So it seems: the override is a percentage of a window that has to be configured, and none is. The compaction came after the gateway's answer "
        "that the prompt is too long."
    )
    s.turn_end()
    return {"12-reactive.jsonl": s.file()}
