"""Which files come back after a compaction, how much of each, and what a user is told of the others."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compaction.story import HERE, Story
from tests.compaction.telling import assistant, call, result, user
from workbench.compaction.plan import Plan
from workbench.compaction.profiles import ARTICLES, OBSERVED, resolve
from workbench.compaction.restoring import Restored, candidates, forget, paths_to_read, restore
from workbench.compaction.results import cleared
from workbench.compaction.settings import flag_layer
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.conversation.row import Row
from workbench.conversation.text import compact_json, rough, utf8_length
from workbench.evidence.grounding import ground_at

A, B, C, D, E, F, G, H = (f"{HERE}/{name}.py" for name in "abcdefgh")


def seen(path: str, tokens: int = 10, order: int = 0, **fields: object) -> SeenFile:
    return SeenFile(path, "word" * tokens, "transcript", order=order, **fields)  # type: ignore[arg-type]


def back(
    working: WorkingSet,
    *,
    kept: tuple[Row, ...] = (),
    profile: str = ARTICLES,
    disk: dict[str, str] | None = None,
    **changes: object,
) -> Restored:
    """What is restored with these settings changed; `disk` are the files as they are there."""
    settings = resolve(profile, layers=(flag_layer(f"{n}={v}" for n, v in changes.items()),))
    ground = replace(ground_at(Story().says("go").replies().session, settings), working=working)
    plan = Plan(settings, files="transcript" if disk is None else "disk")
    return restore(ground, plan, kept, disk or {})


def sizes(found: Restored) -> dict[str, int]:
    return {a.name: a.tokens for a in found.attachments if a.kind == "file"}


def why(found: Restored) -> dict[str, str]:
    return {item.name: item.reason for item in found.left_out}


NEWEST_FIRST = (
    (A, 8_000), (f"{HERE}/CLAUDE.md", 300), (C, 900), (D, 1_000), (E, 6_000), (F, 500), (G, 700), (H, 100),
)  # fmt: skip
OF_THE_SPECIFICATION = WorkingSet(
    tuple(
        seen(path, tokens, 100 - at, calls=(f"read-{at}",), role="memory" if path.endswith(".md") else "file")
        for at, (path, tokens) in enumerate(NEWEST_FIRST)
    ),
    cwd=HERE,
)
C_IS_KEPT = (assistant(call("read-2", path=C)), user(result("read-2", 900)))


def test_the_five_newest_come_back_each_cut_to_its_budget() -> None:
    found = back(OF_THE_SPECIFICATION, kept=C_IS_KEPT)
    assert sizes(found) == {A: 5_000, D: 1_000, E: 5_000, F: 500, G: 700}
    assert sum(sizes(found).values()) == 12_200
    assert why(found).keys() == {A, E, H, C, f"{HERE}/CLAUDE.md"}
    assert why(found)[H] == "5 other files come first, and no more are brought back"


def test_a_file_that_does_not_fit_is_skipped_and_later_ones_may_fit() -> None:
    found = back(OF_THE_SPECIFICATION, kept=C_IS_KEPT, restoreTokenBudget=8_000)
    assert sizes(found) == {A: 5_000, D: 1_000, F: 500, G: 700}
    assert sum(sizes(found).values()) == 7_200
    assert "do not fit" in why(found)[E] and "8,000" in why(found)[E]


def test_every_cut_says_how_much_is_left_and_where_the_rest_is() -> None:
    found = back(OF_THE_SPECIFICATION, kept=C_IS_KEPT)
    (first,) = [a for a in found.attachments if a.name == A]
    text = first.row.blocks[0].body["text"]  # type: ignore[index]
    assert first.truncated
    assert "5,000 of 8,000 tokens" in text and A in text
    assert why(found)[A] == "cut to 5,000 of 8,000 tokens, from its start"


def test_the_reasons_of_files_that_come_back_in_other_ways() -> None:
    plan = seen("/home/ada/.claude/plans/p.md", role="plan")
    found = why(back(WorkingSet((seen(f"{HERE}/MEMORY.md", role="memory"), plan))))
    assert found[f"{HERE}/MEMORY.md"].startswith("a memory file")
    assert found[plan.path].startswith("a plan file")


def test_a_file_whose_read_result_is_kept_does_not_come_back_unless_that_was_cleared() -> None:
    working = WorkingSet((seen(C, 20, calls=("read",)),))
    asks, answers = assistant(call("read", path=C)), user(result("read", 20))
    empty = replace(answers, blocks=(cleared(answers.blocks[0], "[Old tool result content cleared]"),))
    failed = user(result("read", 20, error=True))
    assert "still stand" in why(back(working, kept=(asks, answers)))[C]
    assert sizes(back(working, kept=(asks, empty))) == {C: 20}
    assert sizes(back(working, kept=(asks, failed))) == {C: 20}


@pytest.mark.parametrize("spelling", ["~/mill/c.py", "c.py", f"{HERE}/x/../c.py"])
def test_paths_are_compared_after_expansion(spelling: str) -> None:
    working = WorkingSet((seen(C),), cwd=HERE)
    assert sizes(back(working, kept=(assistant(call("read", path=spelling)), user(result("read"))))) == {}


def test_a_file_that_an_earlier_compaction_brought_back_and_that_is_kept_does_not_come_twice() -> None:
    row = user(kind="attachment:file")
    assert sizes(back(WorkingSet((seen(C, shown=(row.uuid,)),)), kept=(row,))) == {}


def test_a_file_that_cannot_be_read_is_not_replaced_by_the_next() -> None:
    files = tuple(seen(path, order=10 - at) for at, path in enumerate((A, B, C, D, E, F)))
    lost = replace(files[1], text=None, source="unknown", why="it was edited without being known before")
    found = back(WorkingSet((files[0], lost, *files[2:])))
    assert list(sizes(found)) == [A, C, D, E]
    assert why(found)[B] == "its contents are not known: it was edited without being known before"
    assert F in why(found)
    on_disk = back(WorkingSet(files), disk=dict.fromkeys((A, C, D, E, F), "x"))
    assert list(sizes(on_disk)) == [A, C, D, E]
    assert "could not be read from disk" in why(on_disk)[B]


def test_contents_come_from_disk_where_the_plan_says_so() -> None:
    working = WorkingSet((seen(A),))
    assert sizes(back(working, disk={A: "word" * 30})) == {A: 30}
    (here,) = back(working, disk={A: "on disk"}).attachments
    assert "1\ton disk" in here.row.blocks[0].body["text"]  # type: ignore[index]
    assert sizes(back(working)) == {A: 10}


def test_the_total_counts_the_attachment_s_whole_json() -> None:
    quotes = SeenFile(A, '"' * 4_000, "transcript", order=2)
    found = back(WorkingSet((quotes, seen(B, order=1))), restoreTokenBudget=1_500)
    assert sizes(found) == {B: 10}  # 1,000 tokens of text, 2,000 as JSON


def test_today_s_agent_names_a_large_file_instead_of_cutting_it() -> None:
    found = back(WorkingSet((seen(A, 5_001, 2), seen(B, 5_000, 1))), profile=OBSERVED)
    assert [(a.kind, a.name) for a in found.attachments] == [("compact_file_reference", A), ("file", B)]
    assert "5,001 tokens are over the 5,000" in why(found)[A]


def test_today_s_agent_goes_by_the_newest_change_then_by_the_last_read() -> None:
    files = (seen(A, order=9), seen(B, order=3, touched=3), seen(C, order=8), seen(D, order=4, touched=4))
    assert candidates(WorkingSet(files), (), resolve(OBSERVED)) == (D, B, A, C)
    assert candidates(WorkingSet(files), (), resolve(ARTICLES)) == (A, C, D, B)
    assert "not recorded" in back(WorkingSet(files), profile=OBSERVED).reason


def test_a_file_that_was_only_named_before_is_named_again_or_unknown() -> None:
    named = SeenFile(A, None, "unknown", is_large=True, why="the last compaction only named it")
    assert [a.kind for a in back(WorkingSet((named,)), profile=OBSERVED).attachments] == ["compact_file_reference"]
    assert why(back(WorkingSet((named,))))[A] == "its contents are not known: the last compaction only named it"


def test_of_a_file_known_in_part_the_known_lines_come_back_under_their_numbers() -> None:
    part = SeenFile(A, "ten\neleven\nthirty", "transcript", lines=((10, 11), (30, 30)), total=40)
    found = back(WorkingSet((part,)))
    text = found.attachments[0].row.blocks[0].body["text"]  # type: ignore[index]
    assert "10\tten\n11\televen\n30\tthirty" in text
    assert why(found)[A] == "the transcript holds only lines 10-11, 30-30 of 40"


def test_whether_a_file_known_in_part_is_large_is_estimated_from_the_part() -> None:
    part = SeenFile(A, "\n".join(["word" * 10] * 10), "transcript", lines=((1, 10),), total=1_000)
    assert [a.kind for a in back(WorkingSet((part,)), profile=OBSERVED).attachments] == ["compact_file_reference"]
    assert [a.kind for a in back(WorkingSet((replace(part, total=20),)), profile=OBSERVED).attachments] == ["file"]


def test_a_cut_never_splits_a_character() -> None:
    found = back(WorkingSet((SeenFile(A, "a" + "€" * 9_000, "transcript"),)))
    assert 4_999 <= sizes(found)[A] <= 5_000
    assert "\ufffd" not in found.attachments[0].row.blocks[0].body["text"]  # type: ignore[index]


def test_what_stands_on_disk_is_a_file_attachment_as_the_agent_writes_it() -> None:
    found = back(WorkingSet((SeenFile(A, "one\ntwo", "transcript"),), cwd=HERE))
    body = found.bodies[found.attachments[0].row.uuid]["attachment"]
    inner = {"filePath": A, "content": "one\ntwo", "numLines": 2, "startLine": 1, "totalLines": 2}
    assert body == {"type": "file", "filename": A, "content": {"type": "text", "file": inner}, "displayPath": "a.py"}


def test_a_read_that_this_run_cleared_is_forgotten_unless_something_else_shows_the_file() -> None:
    files = (seen(A, calls=("r1",)), seen(B, calls=("r2", "r3")), seen(C, calls=("r4",), touched=4, modified=True))
    left = forget(WorkingSet(files), {"r1", "r2", "r4"}).files
    assert [(f.path, f.calls) for f in left] == [(B, ("r3",)), (C, ())]


def test_from_disk_the_instructions_and_the_plan_are_read_too() -> None:
    working = WorkingSet((seen(A),), instructions=((f"{HERE}/CLAUDE.md", "x"),), plan=seen("/p.md", role="plan"))
    assert paths_to_read(working, (), resolve()) == (A, f"{HERE}/CLAUDE.md", "/p.md")


@given(
    files=st.lists(st.tuples(st.integers(0, 7_000), st.booleans(), st.sampled_from(["file", "memory", "plan"])), max_size=12),
    most=st.integers(0, 8),
    budget=st.integers(100, 20_000),
    profile=st.sampled_from([ARTICLES, OBSERVED]),
)
def test_budgets_hold_and_no_file_vanishes_without_a_word(
    files: list[tuple[int, bool, str]], most: int, budget: int, profile: str
) -> None:
    working = WorkingSet(
        tuple(seen(f"/{at}", size, at + 1, touched=at if hot else 0, role=role) for at, (size, hot, role) in enumerate(files))
    )
    found = back(working, profile=profile, restoreMaxFiles=most, restoreTokenBudget=budget)
    came = [a for a in found.attachments if a.kind in ("file", "compact_file_reference")]
    assert len(came) <= most
    assert all(a.tokens <= 5_000 for a in came)
    assert sum(rough(utf8_length(compact_json(found.bodies[a.row.uuid]["attachment"]))) for a in came) <= budget
    whole = {a.name for a in came if not a.truncated}
    assert whole | why(found).keys() == {f.path for f in working.files}
