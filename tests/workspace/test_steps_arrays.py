"""Before and after a stage on the same lines, and only what differs."""

import pytest

from tests.workspace.making import row, sample, text
from tests.workspace.stepping import drawn, taken
from workbench.compaction.result import StageResult, Work
from workbench.compaction.run import Run
from workbench.conversation.row import Row
from workbench.workspace.steps_arrays import REPLACED, Gap, Line, arrays_of, arrays_of_rows
from workbench.workspace.view import ADDED, CLEARED, DROPPED, KEPT, SUMMARISED


@pytest.fixture(scope="module")
def run() -> Run:
    return taken(drawn(sample("02")))


def stage(run: Run, name: str) -> StageResult:
    return next(r for r in run.results if r.name == name)


def made(before: tuple[Row, ...], after: tuple[Row, ...]) -> StageResult:
    return StageResult("made", "ok", "", Work(after), before, after, 0)


def test_a_stage_that_changes_nothing_is_shown_once(run: Run) -> None:
    arrays = arrays_of(stage(run, "decide"))
    assert arrays.is_same and arrays.before == arrays.after > 50
    assert all(line.before is line.after for line in arrays.lines)
    assert [gap.messages for gap in arrays.differences if isinstance(gap, Gap)] == [arrays.after]


def test_a_summary_stands_beside_what_it_replaces(run: Run) -> None:
    arrays = arrays_of(stage(run, "clean"))
    first = arrays.lines[0]
    assert first.state == REPLACED
    assert first.before is not None and first.before.fate == SUMMARISED
    assert first.after is not None and first.after.fate == ADDED and "Summary:" in first.after.block.head
    assert (arrays.after, arrays.added, arrays.removed) == (1, 1, arrays.before)


def test_differences_name_what_went_before_what_came(run: Run) -> None:
    found = [line.state for line in arrays_of(stage(run, "clean")).differences if isinstance(line, Line)]
    assert found == sorted(found, reverse=True)
    assert set(found) == {"removed", "added"}


def test_what_is_rewritten_and_what_goes() -> None:
    one, two, three = (row(n, role, text(f"message {n}")) for n, role in ((1, "user"), (2, "assistant"), (3, "user")))
    arrays = arrays_of(made((one, two, three), (one, row(2, "assistant", text("cleared")))))
    assert [(line.state, line.before.fate) for line in arrays.lines if line.before is not None] == [
        ("same", KEPT),
        ("changed", CLEARED),
        ("removed", DROPPED),
    ]


def test_kept_blocks_of_a_message_that_grew() -> None:
    one, more = row(1, "user", text("asked")), row(2, "user", text("and more"))
    lines = arrays_of(made((one,), (one, more))).lines
    assert [(line.state, line.after.fate) for line in lines if line.after is not None] == [("same", KEPT), ("added", ADDED)]


def test_rows_nothing_was_done_to() -> None:
    arrays = arrays_of_rows((row(1, "user", text("a")), row(2, "assistant", text("b"))))
    assert arrays.is_same and [line.item.message for line in arrays.lines if line.item is not None] == [0, 1]
