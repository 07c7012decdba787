"""What goes wrong on disk. Each damage stands once, in the order of the docstring of `build`."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from dataclasses import replace

from ..filler import log_lines, python_source
from ..meter import compact_json
from ..session import Files, Session
from ..tools import bash, edit, read

HOME = "/home/priya/potluck"

SUMMARY = """Summary:
1. Primary Request and Intent:
   Potluck is to write its report as CSV.
2. Key Technical Concepts:
   - The csv module, `newline=""`
3. Files and Code Sections:
   - `potluck/report.py`
4. Errors and fixes:
   - None yet.
5. Problem Solving:
   Columns are agreed on: line, text, reason.
6. All user messages:
   - "Write the report of unread lines as CSV."
7. Pending Tasks:
   - The report
8. Current Work:
   Reading `potluck/report.py`.
9. Optional Next Step:
   Write the report."""


def build() -> Files:
    """BOM, blank lines, a comment line, two rows spliced on one line, a cut line, NUL bytes, a lone surrogate, unknown rows and blocks, a boundary
    whose continuation hangs on the old chain, and a last line cut off without newline."""
    s = Session(
        "09-damage",
        version="2.1.33",
        cwd=HOME,
        model="claude-opus-4-6",
        overhead=30_500,
        start="2026-02-25T07:30:00Z",
        slug="broken-plate",
    )
    s.snapshot()
    s.prompt("Write the report of unread lines as CSV.")
    s.step("I'll look at the report first.", read(f"{HOME}/potluck/report.py", python_source("09", 3_000)))
    s.note({"type": "weather-report", "sessionId": s.id, "sky": "overcast"})
    s.link({"type": "lantern", "content": "an unknown linked row: the chain goes through it"})
    s.step("It prints to the screen.", bash("python -m potluck report | head -40", log_lines("09", 2_500)))
    s.snapshot()
    surrogate = s.prompt("The recipe \ud83c (half a pizza) breaks the report, by the way.")
    nul = s.step(bash("xxd exports/3/part08.txt | head -1", "00000000: 0000 3120 6375 7000  ..1 cup.\x00\x00"))[-1]
    unknown = s.step("A NUL stands before the amount.")[-1]
    unknown["message"]["content"].append({"type": "hologram", "data": "an unknown block"})
    s.turn_end()
    tail, meter = s.parent, replace(s.meter)
    s.manual_compact(SUMMARY)
    s.parent, s.meter = (
        tail,
        meter,
    )  # the continuation hangs on the old chain: the boundary is bypassed, all of the history is sent
    s.prompt("Go on with the CSV.")
    cut = s.step(edit(f"{HOME}/potluck/report.py", "print(line)", "writer.writerow(line)"))[-1]
    s.step(bash("pytest -q", "33 passed in 0.41s"))
    s.step("The report is CSV now: line, text, reason.")
    return {"09-damage.jsonl": damaged(s, surrogate["uuid"], nul["uuid"], cut["uuid"])}


def damaged(session: Session, surrogate: str, nul: str, before_cut: str) -> bytes:
    """The file's bytes with the damage done."""
    lines = []
    for row in session.rows:
        text = compact_json(row)
        line = text.replace("\ud83c", "\\ud83c").encode()
        if row.get("uuid") == before_cut:  # a cut copy of the row stands before the whole one
            lines.append(line[: len(line) * 2 // 3])
        if row["type"] == "file-history-snapshot" and lines:  # the newline before it was lost
            lines[-1] += line
            continue
        lines.append(line)
    assert any(surrogate.encode() in line for line in lines) and any(nul.encode() in line for line in lines)
    lines.insert(3, b"\0" * 64)
    lines.insert(5, b"")
    lines.insert(6, b"   ")
    lines.insert(7, b"// copied by hand for the ticket")
    whole, last = lines[:-1], lines[-1]
    return b"\xef\xbb\xbf" + b"\n".join(whole) + b"\n" + last[: len(last) - 90]
