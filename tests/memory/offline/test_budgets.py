"""Offline notes stay within their budgets, keep their frame whatever is said, and go on from what is there."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workbench.conversation.row import Row
from workbench.memory.edit import same_frame
from workbench.memory.extraction import apply_edits, apply_reply
from workbench.memory.notes import Budgets, parse, render
from workbench.memory.offline import offline_edits, offline_notes, offline_reply
from workbench.memory.template import SECTIONS, TEMPLATE

from ..making import call, replied, result, said

NASTY = [
    "# Head\n_italic_",
    "```\nopen",
    "~~~",
    "\x1b[31mred\x1b[0m",
    "\ud800",
    "\x00",
    "- … and 3 more",
    "a — b",
    "Never use var.",
    "?",
]
TEXTS = st.lists(st.sampled_from([*NASTY, "some words here", "x" * 700, "ä" * 90]), min_size=1, max_size=4).map("\n".join)
CALLS = st.tuples(
    st.sampled_from(
        ["Bash", "Edit", "Read", "Write", "# Head\n_italic_", "Task", "TodoWrite", "AskUserQuestion", "ExitPlanMode", "Odd"]
    ),
    st.dictionaries(
        st.sampled_from(["command", "file_path", "new_string", "old_string", "content", "plan", "todos", "questions", "pattern"]),
        TEXTS
        | st.integers()
        | st.lists(st.dictionaries(st.sampled_from(["content", "status", "question"]), TEXTS, max_size=2), max_size=2),
        max_size=3,
    ),
    TEXTS,
    st.booleans(),
)


@st.composite
def sessions(draw: st.DrawFn) -> tuple[Row, ...]:
    rows: list[Row] = []
    for number in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["said", "replied", "call", "summary"]))
        if kind == "call":
            name, given_, output, error = draw(CALLS)
            rows += _called(number, name, given_, output, error, draw(st.booleans()))
        elif kind == "replied":
            rows.append(replied(f"a{number}", draw(TEXTS)))
        else:
            rows.append(said(f"s{number}", draw(TEXTS), is_summary=kind == "summary"))
    return tuple(rows)


def _called(number: int, name: str, given_: dict[str, Any], output: str, error: bool, answered: bool) -> list[Row]:
    rows = [replied(f"a{number}", call("", f"t{number}") | {"name": name, "input": given_})]
    return [*rows, result(f"u{number}", f"t{number}", output, error)] if answered else rows


@given(sessions(), st.sampled_from([Budgets(), Budgets(150, 900)]))
def test_any_session_gives_ten_sections_within_budget(rows: tuple[Row, ...], budgets: Budgets) -> None:
    notes = offline_notes(rows, budgets)
    assert notes.titles == SECTIONS
    assert same_frame(parse(TEMPLATE), notes)
    assert not notes.too_long
    assert not notes.over_budget
    current = notes.find("Current State")
    assert current is not None
    assert current.text
    render(notes).encode()  # neither surrogates nor anything else that cannot be written
    assert "\x1b" not in render(notes)


@given(sessions(), sessions(), st.sampled_from([Budgets(), Budgets(150, 900)]))
def test_going_on_keeps_budget_and_frame(rows: tuple[Row, ...], more: tuple[Row, ...], budgets: Budgets) -> None:
    notes = offline_notes(rows, budgets)
    applied = apply_reply(notes, offline_reply(more, notes))
    assert applied.is_complete
    assert same_frame(notes, applied.notes)
    assert not applied.notes.too_long
    assert not applied.notes.over_budget


def many(count: int) -> tuple[Row, ...]:
    rows = [said(f"r{i}", f"request number {i} asks for {'a rather long change ' * 4}") for i in range(count)]
    return (said("first", "Build the importer for dates"), *rows, said("last", "Finish the importer now please"))


def test_first_and_newest_request_survive_what_does_not_fit() -> None:
    notes = offline_notes(many(300))
    task = notes.find("Task specification")
    assert task is not None
    lines = task.text.split("\n")
    assert lines[0] == "- Build the importer for dates"
    assert lines[-2] == "- Finish the importer now please"
    gone = int(lines[-1].removeprefix("- … and ").removesuffix(" more"))
    assert len(lines) - 1 + gone == 302
    assert task.tokens > 1_900


def test_notes_that_are_there_go_on_with_the_new_rows() -> None:
    old = (said("a", "Build the importer"), replied("b", call("Edit", "t1", file_path="/p/a.py")), result("c", "t1"))
    new = (said("d", "Test the importer well"), replied("e", call("Edit", "t2", file_path="/p/a.py")), result("f", "t2"))
    notes = offline_notes(old)
    notes = apply_edits(notes, offline_edits(new, notes)).notes
    found = {s.title: s.text for s in notes.sections}
    assert found["Session Title"] == "Build the importer with 1 call of Edit"
    assert found["Task specification"] == "- Build the importer\n- Test the importer well"
    assert found["Files and Functions"] == "- `/p/a.py` — 1 edit"
    assert "Build the importer" not in found["Current State"]
    assert "Test the importer well" in found["Current State"]


def test_what_a_person_wrote_stays_character_by_character() -> None:
    text = TEMPLATE.replace(
        "_What was done, step by step, in as few words as possible._\n", "_What._\n\nBy hand:\n\n```\n- a\n\n- b\n```\n\n  end\n"
    )
    notes = parse(text.replace("\n", "\r\n"))
    after = apply_edits(notes, offline_edits((said("a", "Build the importer"),), notes)).notes
    assert "By hand:\r\n\r\n```\r\n- a\r\n\r\n- b\r\n```\r\n\r\n  end\r\n- Build the importer → answered\r\n" in render(after)


def test_the_oldest_entries_give_way_and_are_counted() -> None:
    notes = parse(
        "# Current State\n_x_\n# Worklog\n_y_\n\n" + "".join(f"- old entry {i}\n" for i in range(60)) + "- … and 7 more\n",
        Budgets(200, 400),
    )
    applied = apply_edits(notes, offline_edits((said("a", "Build the importer"),), notes))
    worklog = applied.notes.find("Worklog")
    assert worklog is not None
    assert not worklog.over_budget
    *lines, new, more = worklog.text.split("\n")
    assert new == "- Build the importer → answered"
    assert lines == [f"- old entry {i}" for i in range(60 - len(lines), 60)]
    assert more == f"- … and {7 + 60 - len(lines)} more"


def test_custom_templates_get_what_they_have_a_section_for() -> None:
    notes = parse("# Worklog\n_y_\n\n# Own\n_z_\n\nmine\n")
    applied = apply_edits(notes, offline_edits((said("a", "Build the importer"),), notes))
    assert [(s.title, s.text) for s in applied.notes.sections] == [
        ("Worklog", "- Build the importer → answered"),
        ("Own", "mine"),
    ]
