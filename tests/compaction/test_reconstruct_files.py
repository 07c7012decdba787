"""Files of the working set: which the agent has seen, and the newest contents that the session holds of them."""

import pytest

from tests.compaction.story import HERE, Story
from workbench.compaction.reconstruct import working_set
from workbench.compaction.reconstruct.events import CLEARED

A, B = f"{HERE}/a.py", f"{HERE}/b.py"
PATCH = [{"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 2, "lines": []}]


def test_a_file_that_was_read_is_known_as_it_was_read() -> None:
    file = Story().says("go").reads(A, "one\ntwo\n").files[A]
    assert (file.text, file.source, file.calls, file.modified, file.is_whole) == (
        "one\ntwo\n",
        "transcript",
        ("call_1",),
        False,
        True,
    )


def test_an_edit_is_applied_to_what_was_read() -> None:
    file = Story().reads(A, "one\ntwo").edits(A, "two", "three").files[A]
    assert (file.text, file.modified, file.calls) == ("one\nthree", True, ("call_1",))


def test_what_the_session_records_of_the_file_before_an_edit_overrules_an_older_read() -> None:
    file = Story().reads(A, "one\ntwo").edits(A, "two", "three", originalFile="ONE\ntwo").files[A]
    assert file.text == "ONE\nthree"


def test_an_edit_of_a_file_that_was_never_read_leaves_it_unknown() -> None:
    file = Story().edits(A, "two", "three").files[A]
    assert (file.text, file.source, file.modified) == (None, "unknown", True)
    assert file.why == "it was edited without being known before"


@pytest.mark.parametrize(("old", "everywhere", "text"), [("x", False, None), ("x", True, "y y"), ("z", False, None)])
def test_an_edit_counts_only_where_it_is_unambiguous(old: str, everywhere: bool, text: str | None) -> None:
    assert Story().reads(A, "x x").edits(A, old, "y", everywhere=everywhere).files[A].text == text


def test_a_deletion_takes_the_line_it_leaves_empty_along_where_the_session_says_so() -> None:
    assert Story().reads(A, "one\ntwo\nend").edits(A, "two", "", structuredPatch=PATCH).files[A].text == "one\nend"
    assert Story().reads(A, "one\ntwo\nend").edits(A, "two", "").files[A].text == "one\n\nend"


def test_several_edits_at_once_are_applied_in_order() -> None:
    edits = [{"old_string": "one", "new_string": "1"}, {"old_string": "1\ntwo", "new_string": "2"}]
    story = (
        Story()
        .reads(A, "one\ntwo")
        .call("MultiEdit", {"file_path": A, "edits": edits}, "edited", {"filePath": A, "edits": edits})
    )
    assert story.files[A].text == "2"


def test_a_written_file_is_known_whole() -> None:
    file = Story().writes(A, "new\n").files[A]
    assert (file.text, file.modified, file.is_whole) == ("new\n", True, True)


def test_a_notebook_that_was_edited_is_not_known() -> None:
    file = Story().call("NotebookEdit", {"notebook_path": f"{HERE}/n.ipynb", "new_source": "x"}).files[f"{HERE}/n.ipynb"]
    assert (file.text, file.modified) == (None, True)


def test_of_a_file_read_in_part_the_lines_are_known() -> None:
    file = Story().reads(A, "ten\neleven", 10, 30).files[A]
    assert (file.text, file.lines, file.total, file.is_whole) == ("ten\neleven", ((10, 11),), 30, False)


def test_parts_that_touch_become_one_and_those_apart_stay_apart() -> None:
    story = Story().reads(A, "1\n2", 1, 9).reads(A, "3\n4", 3, 9).reads(A, "8", 8, 9)
    file = story.files[A]
    assert (file.text, file.lines) == ("1\n2\n3\n4\n8", ((1, 4), (8, 8)))
    assert Story().reads(A, "1\n2", 1, 4).reads(A, "3\n4", 3, 4).files[A].is_whole


def test_a_part_that_says_otherwise_shows_that_the_file_changed() -> None:
    assert Story().reads(A, "1\n2", 1, 9).reads(A, "zwei\n3", 2, 9).files[A].text == "zwei\n3"
    assert Story().reads(A, "1\n2", 1, 9).reads(A, "3", 3, 10).files[A].lines == ((3, 3),)


def test_an_edit_of_a_part_moves_the_lines_behind_it() -> None:
    file = Story().reads(A, "1\n2", 1, 9).reads(A, "8", 8, 9).edits(A, "2", "2\n2b").files[A]
    assert (file.text, file.lines, file.total) == ("1\n2\n2b\n8", ((1, 3), (9, 9)), 10)


def test_a_failed_call_shows_and_changes_nothing() -> None:
    story = Story().call("Read", {"file_path": A}, "no such file", failed=True)
    story.call("Write", {"file_path": B, "content": "x"}, "refused", failed=True)
    assert story.files == {}


def test_an_answer_that_nothing_changed_keeps_the_contents_and_shows_nothing_itself() -> None:
    unchanged = {"type": "file_unchanged", "file": {"filePath": A}}
    file = Story().reads(A, "one").call("Read", {"file_path": A}, "unchanged", unchanged).files[A]
    assert (file.text, file.calls) == ("one", ("call_1",))


def test_a_picture_is_seen_and_has_no_text() -> None:
    file = (
        Story().call("Read", {"file_path": f"{HERE}/p.png"}, "", {"type": "image", "file": {"base64": ""}}).files[f"{HERE}/p.png"]
    )
    assert (file.text, file.why) == (None, "its contents are not text (image)")


def test_later_looks_and_changes_rank_higher() -> None:
    files = Story().reads(A, "a").reads(B, "b").edits(A, "a", "A").reads(B, "b").files
    assert files[B].order > files[A].order > 0
    assert files[A].touched > files[B].touched == 0


def test_a_read_whose_result_was_cleared_is_forgotten() -> None:
    assert Story().reads(A, "one", shown=CLEARED).reads(B, "two").files.keys() == {B}
    assert Story().reads(A, "one").reads(B, "two").cleared("call_1").says("on").files.keys() == {B}


def test_a_file_that_was_edited_after_its_cleared_read_is_still_known() -> None:
    file = Story().reads(A, "one").edits(A, "one", "1").cleared("call_1").says("on").files[A]
    assert (file.text, file.calls) == ("1", ())


def test_what_stands_before_the_boundary_does_not_count() -> None:
    assert Story().reads(A, "one").compacted().says("go on").reads(B, "two").files.keys() == {B}


def test_files_that_the_last_compaction_brought_back_count_as_read() -> None:
    story = Story().says("go").compacted()
    content = {"type": "text", "file": {"filePath": A, "content": "one", "numLines": 1, "startLine": 1, "totalLines": 1}}
    story.attached("file", filename=A, content=content).attached("compact_file_reference", filename=B)
    files = story.says("go on").files
    assert (files[A].text, files[A].calls, len(files[A].shown)) == ("one", (), 1)
    assert (files[B].text, files[B].is_large) == (None, True)
    assert story.edits(A, "one", "two").files[A].text == "two"


def test_a_change_by_somebody_else_makes_the_contents_unknown() -> None:
    file = Story().reads(A, "one").attached("edited_text_file", filename=A, snippet="1\tuno").says("go on").files[A]
    assert (file.text, file.modified) == (None, True)
    assert "somebody else" in file.why


@pytest.mark.parametrize("spelling", ["~/mill/a.py", "a.py", "./b/../a.py", f"{HERE}//a.py"])
def test_spellings_of_one_path_are_one_file(spelling: str) -> None:
    assert len(Story().reads(spelling, "one").edits(A, "one", "two").set.files) == 1


@pytest.mark.parametrize(
    ("path", "role"),
    [
        (f"{HERE}/src/a.py", "file"),
        (f"{HERE}/CLAUDE.md", "memory"),
        (f"{HERE}/web/CLAUDE.local.md", "memory"),
        (f"{HERE}/.claude/rules/go.md", "memory"),
        (f"{HERE}/s/session-memory/summary.md", "memory"),
        ("/home/ada/.claude/projects/x/memory/MEMORY.md", "memory"),
        ("/home/ada/.claude/plans/brave-otter.md", "plan"),
        (f"{HERE}/.claude/worktrees/try/src/a.py", "file"),
        (f"{HERE}/.claude/worktrees/try/CLAUDE.md", "memory"),
        ("C:\\Users\\ada\\mill\\.claude\\plans\\p.md", "plan"),
    ],
)
def test_what_a_file_is_for(path: str, role: str) -> None:
    assert Story().reads(path, "text").files[path].role == role


def test_without_the_agent_s_own_records_the_numbered_lines_of_a_result_count() -> None:
    story = Story().call("Read", {"file_path": A}, "     1→one\n     2→two\n\n<system-reminder>x</system-reminder>")
    story.call("Read", {"file_path": B, "offset": 7}, "7\tseven\n8\teight")
    session = story.session
    files = {f.path: f for f in working_set(tuple(session.rows(session.chain.places))).files}
    assert (files[A].text, files[A].is_whole) == ("one\ntwo", True)
    assert (files[B].text, files[B].lines) == ("seven\neight", ((7, 8),))
