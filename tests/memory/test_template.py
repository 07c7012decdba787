"""The ten sections of the spec's table, and what stands beside them in a summary."""

from workbench.memory.notes import parse, state
from workbench.memory.template import MATCHES, TEMPLATE, match_of

TEN = (
    "Session Title",
    "Current State",
    "Task specification",
    "Files and Functions",
    "Workflow",
    "Errors & Corrections",
    "Codebase and System Documentation",
    "Learnings",
    "Key results",
    "Worklog",
)


def test_the_template_reads_as_ten_empty_sections() -> None:
    notes = parse(TEMPLATE)
    assert notes.titles == TEN
    assert all(not s.text and s.hint for s in notes.sections)
    assert state(notes).name == "template"


def test_each_section_knows_its_counterpart_and_why_it_differs() -> None:
    beside = {title: match_of(title) for title in TEN}
    assert {t: m.summary[0] for t, m in beside.items() if m and m.summary} == {
        "Current State": "Current Work",
        "Task specification": "Primary Request and Intent",
        "Files and Functions": "Files and Code Sections",
        "Errors & Corrections": "Errors and fixes",
        "Codebase and System Documentation": "Key Technical Concepts",
        "Learnings": "Problem Solving",
        "Worklog": "Pending Tasks",
    }
    assert all(m and m.reason for m in beside.values())
    assert [m.summary[0] for m in MATCHES if m.section is None] == ["All user messages", "Optional Next Step"]
    assert match_of("Our own section") is None
