"""Where the kept rows start when nothing is recorded (spec 1, section 5.3 [decided])."""

from workbench.memory.start import find_start

from .making import BOUNDARY, SUMMARY, said, sized

ONE = "2026-01-01T00:00:01Z"
TWO = "2026-01-01T00:00:02Z"
THREE = "2026-01-01T00:00:03Z"
BEFORE = "2025-12-31T23:59:59Z"
SECOND = 1767225600.0  # 2026-01-01T00:00:00Z


def test_a_recorded_row_is_taken() -> None:
    rows = (said("a", "x"), said("b", "x"), said("c", "x"))
    found = find_start(rows, "b", SECOND)
    assert (found.place, found.kind, found.uuid, found.is_guess) == (2, "recorded", "b", False)


def test_else_the_newest_row_older_than_the_last_write_marked_as_a_guess() -> None:
    rows = (said("a", "x", timestamp=ONE), said("b", "x", timestamp=TWO), said("c", "x", timestamp=THREE))
    found = find_start(rows, None, SECOND + 2.5)
    assert (found.place, found.kind, found.uuid, found.is_guess) == (2, "guess", "b", True)


def test_an_attachment_stamped_earlier_than_its_neighbours_is_no_guess() -> None:
    late = sized("late", 1, timestamp=ONE)
    attachment = type(late)(0, None, "late", "attachment:file", "user", timestamp=ONE, blocks=late.blocks)
    rows = (said("a", "x", timestamp=ONE), said("b", "x", timestamp=THREE), attachment)
    assert find_start(rows, None, SECOND + 2).uuid == "a"


def test_notes_older_than_the_boundary_keep_everything_behind_the_summary() -> None:
    kept = said("kept", "an older row that the last compaction kept", timestamp=BEFORE)
    rows = (BOUNDARY, SUMMARY, kept, said("a", "x", timestamp=ONE))
    for written in (SECOND - 0.5, None):
        found = find_start(rows, None, written)
        assert (found.place, found.kind) == (2, "since-boundary")


def test_a_kept_prefix_stands_before_its_summary_and_stays_too() -> None:
    rows = (BOUNDARY, said("kept", "x", timestamp=BEFORE), SUMMARY, said("a", "x", timestamp=ONE))
    assert find_start(rows, None, None).place == 1


def test_notes_written_after_the_boundary_give_a_guess_again() -> None:
    rows = (BOUNDARY, SUMMARY, said("a", "x", timestamp=ONE), said("b", "x", timestamp=THREE))
    assert find_start(rows, None, SECOND + 2).uuid == "a"


def test_without_boundary_and_guess_it_starts_at_the_end() -> None:
    rows = (said("a", "x", timestamp=ONE), said("b", "x", timestamp="not a time"))
    for written in (None, SECOND):
        found = find_start(rows, None, written)
        assert (found.place, found.kind) == (2, "end")


def test_an_old_summary_without_boundary_is_one() -> None:
    rows = (SUMMARY, said("a", "x"))
    assert (find_start(rows, None, None).place, find_start(rows, None, None).kind) == (1, "since-boundary")
