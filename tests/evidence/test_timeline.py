"""The timeline: every call with its reply and what came after, held against the threshold, and what happened between."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.evidence.telling import Told, call, image, result, text, thinking
from workbench.compaction.profiles import preset_of, resolve
from workbench.compaction.settings import Settings, flag_layer
from workbench.conversation.figure import ESTIMATED, EXACT, LOWER_BOUND, UNKNOWN
from workbench.conversation.tokens import by_texts
from workbench.evidence.inspection import inspect
from workbench.evidence.timeline import Timeline, timeline_of
from workbench.storage import read_index
from workbench.transcript.session import Session

DOUBLE = by_texts("double", "twice the letters", "for tests", lambda texts: [2 * len(t) for t in texts])


def settings(*flags: str, session: Session | None = None) -> Settings:
    """Without notes, whose marks stand behind many calls and have a file of their own."""
    preset = preset_of(session.index.last_version) if session else None
    return resolve(preset=preset, layers=[flag_layer(("sessionMemory=false", *flags))])


def timeline(told: Told, *flags: str) -> Timeline:
    return timeline_of(told.session(), settings(*flags))


def marks(found: Timeline) -> list[tuple[str, ...]]:
    return [p.marks for p in found.points]


def test_a_point_tells_prompt_reply_and_what_came_after() -> None:
    told = Told()
    told.prompt("Read it.")
    told.reply("m1", 20_000, text("x" * 400), call("c1"), output=110)
    told.results(result("c1", "y" * 4_000))
    told.reply("m2", 21_500, output=5)
    first, second = timeline(told).points
    assert (first.tokens, first.output, first.added, first.total) == (20_000, 110, 1_000, 21_110)
    assert (first.kind, first.output_kind, first.total_kind) == (EXACT, EXACT, ESTIMATED)
    assert (second.total, second.total_kind) == (21_505, EXACT)
    assert (first.growth, second.growth) == (None, 1_500)


def test_rows_of_one_reply_are_one_call_with_the_largest_of_each_field() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("Begun."), output=3)
    told.reply("m1", 20_000, text("Done."), output=40)
    (point,) = timeline(told).points
    assert (point.line, point.tokens, point.output) == (2, 20_000, 40)


@pytest.mark.parametrize(("recorded", "output", "kind"), [(25, 1_000, ESTIMATED), (499, 1_000, ESTIMATED), (500, 500, EXACT)])
def test_an_output_under_half_of_its_text_is_a_placeholder(recorded: int, output: int, kind: str) -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("x" * 4_000), output=recorded)
    (point,) = timeline(told).points
    assert (point.output, point.output_kind) == (output, kind)


def test_text_that_json_escapes_is_measured_as_it_reads() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, text("\n" * 400), output=60)
    (point,) = timeline(told).points
    assert (point.output, point.output_kind) == (60, EXACT)


def test_a_signature_is_no_text_of_the_reply() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, thinking(), output=2)
    (point,) = timeline(told).points
    assert (point.output, point.output_kind) == (2, EXACT)


def test_images_and_tool_calls_are_part_of_what_was_added() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000, call("c1"))
    told.results(result("c1", [image(280, 280)]))
    told.prompt("And now?")
    assert timeline(told).points[0].added == 100 + 2


def test_the_threshold_is_held_against_the_whole() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 164_000, call("c1"), output=100)
    told.results(result("c1", "x" * 4 * 2_899))
    told.reply("m2", 166_900, call("c2"), output=100)
    found = timeline(told)
    assert found.threshold == 167_000
    assert marks(found) == [(), ("over-threshold",)]
    assert found.points[0].total == 166_999


def test_without_a_threshold_nothing_is_over_it() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 190_000)
    assert marks(timeline(told, "firesOnlyWithWindow=true")) == [()]


def test_a_boundary_ends_what_was_added_and_starts_growth_anew() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 166_000, call("c1"))
    told.results(result("c1", "x" * 4_000))
    told.boundary(167_050, summary="y" * 40_000)
    told.reply("m2", 30_000)
    found = timeline(told)
    assert found.points[0].added == 1_000
    assert [p.growth for p in found.points] == [None, None]
    assert marks(found) == [("over-threshold",), ("boundary",)]
    (mark,) = found.marks
    assert (mark.index, mark.line, mark.label, mark.before) == (1, 4, "auto compaction at 167,050 tokens", 167_050)
    assert mark.after is not None and (mark.after.tokens, mark.after.kind) == (30_000, EXACT)


def test_a_boundary_without_a_call_behind_it_has_its_own_count_as_a_lower_bound() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 60_000)
    told.boundary(60_050, 5_000)
    told.boundary(None, None)
    first, second = timeline(told).marks
    assert (first.index, second.index) == (1, 1)
    assert first.after is not None and (first.after.tokens, first.after.kind) == (5_000, LOWER_BOUND)
    assert second.after is not None and (second.after.tokens, second.after.kind) == (None, UNKNOWN)


def test_a_microcompaction_is_marked_before_the_call_that_shrank() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 60_000)
    told.microcompaction(20_000, "c1", "c2")
    told.reply("m2", 35_000)
    found = timeline(told)
    assert marks(found) == [(), ("microcompaction",)]
    assert found.marks[0].label == "2 old results cleared, 20,000 tokens saved"
    assert found.points[1].growth == -25_000


def test_a_change_of_model_or_version_is_marked() -> None:
    told = Told(version="2.1.36")
    told.prompt("Go.")
    told.reply("m1", 20_000)
    told.reply("m2", 20_100)
    told.version = "2.1.37"
    told.reply("m3", 20_200)
    told.reply("m4", 20_300, model="claude-sonnet-4-5")
    found = timeline(told)
    assert marks(found) == [(), (), ("version-change",), ("model-change",)]
    assert [m.label for m in found.marks] == ["2.1.36 → 2.1.37", "claude-opus-4-5-20251101 → claude-sonnet-4-5"]


def test_errors_of_the_api_are_marked_once_for_each_stretch_of_retries() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000)
    for _ in range(3):
        told.row("system", subtype="api_error", error={"status": 529})
    told.reply("m2", 20_100)
    told.error("API Error: the prompt\nis too long")
    found = timeline(told)
    assert marks(found) == [(), ("api-error",)]
    assert [(m.index, m.line, m.label) for m in found.marks] == [
        (1, 3, "3 errors of the API, retried"),
        (2, 7, "API Error: the prompt is too long"),
    ]
    assert found.points[1].added == 0


def test_a_rewound_prompt_makes_a_branch_without_growth() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000)
    fork = told.last
    told.prompt("x" * 4_000)
    told.reply("m2", 21_000)
    told.prompt("Otherwise.", parent=fork)
    told.reply("m3", 20_100)
    found = timeline(told)
    assert marks(found) == [(), (), ("branch",)]
    assert [p.growth for p in found.points] == [None, 1_000, None]
    assert [p.added for p in found.points] == [1_000, 0, 0]


def test_a_branch_shows_its_own_calls_alone() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000)
    fork = told.last
    told.prompt("This way.")
    left = told.reply("m2", 21_000)
    told.prompt("Otherwise.", parent=fork)
    told.reply("m3", 20_100)
    session = told.session()
    found = timeline_of(session, settings(), session.branch(left))
    assert [p.message_id for p in found.points] == ["m1", "m2"]


def test_a_branch_behind_a_boundary_shows_the_calls_before_it_too() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 160_000)
    told.boundary(160_050)
    left = told.reply("m2", 20_000)
    session = told.session()
    assert [p.message_id for p in timeline_of(session, settings(), session.branch(left)).points] == ["m1", "m2"]


def test_calls_of_sub_agents_are_left_out_of_a_main_file_and_shown_in_their_own() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 20_000)
    told.reply("a1", 9_000, isSidechain=True)
    assert [p.tokens for p in timeline(told).points] == [20_000]
    agent = Told()
    agent.row("user", isSidechain=True, message={"role": "user", "content": "Go."})
    agent.reply("a1", 9_000, isSidechain=True)
    assert [p.tokens for p in timeline(agent).points] == [9_000]


def test_another_estimator_is_shown_but_does_not_decide() -> None:
    told = Told()
    told.prompt("Go.")
    told.reply("m1", 150_000, text("x" * 4_000), call("c1"), output=2)
    told.results(result("c1", ["not counted", {"type": "text", "text": "y" * 8_000}, image(280, 280)]))
    told.reply("m2", 153_000)
    found = timeline_of(told.session(), settings(), by=DOUBLE)
    assert found.estimator == "double"
    assert found.points[0].output == 2 * (4_000 + len("Read{}"))
    assert found.points[0].added == 16_000 + 100
    assert found.points[0].total > 167_000
    assert marks(found) == [(), ()]


def test_a_session_without_calls_has_no_points() -> None:
    told = Told()
    told.prompt("Hello.")
    assert timeline(told).points == ()


def real(shared: Path) -> Sequence[Path]:
    return sorted(p for folder in ("real", "real-new", "cases") for p in shared.glob(f"{folder}/*.jsonl"))


def test_real_peaks_are_those_of_inspect(shared: Path) -> None:
    for path in real(shared):
        session = read_index(path)
        known = settings(session=session)
        peak = max((p.tokens for p in timeline_of(session, known).points), default=None)
        assert peak == inspect(session, known).peak, path.name


def test_the_last_point_is_the_context_of_inspect(shared: Path) -> None:
    for path in real(shared):
        session = read_index(path)
        known = settings(session=session)
        found, context = timeline_of(session, known), inspect(session, known).context
        if context.call is not None and context.call.call == session.calls[-1]:
            assert found.points[-1].total == context.counted, path.name


def test_recorded_sums_before_a_compaction_are_met_to_the_token(shared: Path) -> None:
    checked = 0
    for path in sorted(shared.glob("real-new/*.jsonl")):
        found = timeline_of(session := read_index(path), settings(session=session))
        for mark in found.marks:
            if mark.kind == "boundary":
                checked += 1
                assert found.points[mark.index - 1].total == mark.before, path.name
    assert checked >= 6


def test_older_sessions_fire_with_the_first_call_over_the_threshold(shared: Path) -> None:
    for path in sorted(shared.glob("real/*.jsonl")):
        found = timeline_of(session := read_index(path), settings(session=session))
        for mark in (m for m in found.marks if m.kind == "boundary" and m.label.startswith("auto")):
            fired = found.points[mark.index - 1]
            assert "over-threshold" in fired.marks, path.name
            assert mark.before is not None and abs(fired.total - mark.before) < 0.01 * mark.before, path.name
