"""Calls and results that do not fit together, each kind once, and a parent that is not in the file."""

from ..filler import python_source
from ..session import Files, Session
from ..tools import bash, edit, read

HOME = "/home/priya/potluck"


def build() -> Files:
    """Faults in order: an interrupted call, a result given twice, a result before its call, a missing parent."""
    s = Session(
        "06-orphans",
        version="2.1.38",
        cwd=HOME,
        model="claude-opus-4-6",
        overhead=31_000,
        start="2026-02-20T11:41:00Z",
        slug="scattered-crumbs",
    )
    s.prompt("The importer hangs on exports/5/part61.txt. Find the line.")
    s.step(
        "I'll run it with a time limit.", bash("timeout 5 python -m potluck import exports/5/part61.txt", "last line read: 188")
    )
    s.reply("Line 188 is next. I'll trace it.", bash("python -X tracemalloc -m potluck import exports/5/part61.txt", ""))
    s.link(
        {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user for tool use]"}]},
        }
    )
    s.prompt("No, don't run it again, it eats all memory. Read the line instead.")
    first = s.step(bash("sed -n 188p exports/5/part61.txt", "- 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 cup flour"))
    call = first[-1]["message"]["content"][0]["id"]
    again = {"tool_use_id": call, "type": "tool_result", "content": "- 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 cup flour"}
    s.link({"type": "user", "message": {"role": "user", "content": [again]}, "sourceToolAssistantUUID": first[-1]["uuid"]})
    s.step("Sixteen ones in a row: the pattern for mixed fractions tries every way to split them.")
    s.turn_end()
    s.prompt("Then forbid more than one whole number before the fraction.")
    at = len(s.rows)
    s.step("The pattern first.", read(f"{HOME}/potluck/amounts.py", python_source("06", 2_600)))
    call_row = next(
        row for row in s.rows[at:] if row["type"] == "assistant" and row["message"]["content"][0]["type"] == "tool_use"
    )
    result_row = s.rows[-1]
    swap(s, call_row["uuid"], result_row["uuid"])
    s.parent = s.ids.uuid("never written")
    s.step(edit(f"{HOME}/potluck/amounts.py", "(?:(?P<whole>\\d+)\\s+)*", "(?:(?P<whole>\\d+)\\s+)?"))
    s.step(bash("pytest -q", "32 passed in 0.40s"))
    s.step("One whole number at most now; part61 imports in 0.1 seconds.")
    s.turn_end()
    return {"06-orphans.jsonl": s.file()}


def swap(session: Session, call: str, result: str) -> None:
    """Exchanges a call's row with that of its result, links included, so that the answer stands before the question."""
    rows = {row.get("uuid"): place for place, row in enumerate(session.rows)}
    asked, answered = session.rows[rows[call]], session.rows[rows[result]]
    session.rows[rows[call]] = {**answered, "parentUuid": asked["parentUuid"], "timestamp": asked["timestamp"]}
    session.rows[rows[result]] = {**asked, "parentUuid": answered["uuid"], "timestamp": answered["timestamp"]}
    session.parent = asked["uuid"]
