"""The flow of a run: what was done, what comes, and which branch was not taken and why."""

from dataclasses import replace

import pytest

from tests.workspace.making import SAMPLES, sample
from tests.workspace.stepping import AT_FIRST_BOUNDARY, drawn, taken
from workbench.compaction.ground import NotesGround
from workbench.compaction.request import TOO_LONG, Reply
from workbench.compaction.run import Run, answer, rewind, step
from workbench.compaction.variants import VARIANTS
from workbench.memory.notes import parse
from workbench.storage import read_text
from workbench.workspace.opened import Opened
from workbench.workspace.steps_flow import AHEAD, DONE, LATER, NEXT, UNTAKEN, Node, flow, place_of
from workbench.workspace.steps_plan import Point, Wish

FULL_WAY = ["measure", "microcompact", "decide", "pre-hook", "session-memory", "prepare", "ask", "clean", "restore", "hooks"]


@pytest.fixture(scope="module")
def opened() -> Opened:
    return sample("02")


@pytest.fixture
def run(opened: Opened) -> Run:
    return drawn(opened)


def numbered(nodes: tuple[Node, ...]) -> list[str]:
    return [n.name for n in nodes if n.number]


def untaken(nodes: tuple[Node, ...]) -> dict[str, str]:
    return {n.name: n.why for n in nodes if n.state == UNTAKEN}


def test_before_the_first_stage_everything_is_to_come(run: Run) -> None:
    nodes = flow(run)
    assert numbered(nodes) == [*FULL_WAY, "assemble", "verify", "record"]
    assert [n.state for n in nodes[:2]] == [NEXT, LATER]
    assert [n.number for n in nodes if n.number] == [*range(1, 14)]


def test_the_numbers_stay_while_it_goes_on(run: Run) -> None:
    before = {n.name: n.number for n in flow(run)}
    for _ in range(5):
        run = taken(run, len(run.results) + 1)
        assert {n.name: n.number for n in flow(run)} == before


def test_notes_that_cannot_be_used_lead_on_to_the_full_way(run: Run) -> None:
    nodes = flow(taken(run))
    memory = next(i for i, n in enumerate(nodes) if n.name == "session-memory")
    assert "no notes file" in nodes[memory].result.reason  # type: ignore[union-attr]
    assert (nodes[memory].rail, nodes[memory + 1].rail) == ("╭─", "╰─")
    assert untaken(nodes) == {"retry": "only when the request is too long"}


def test_a_named_variant_does_not_ask_the_notes(opened: Opened) -> None:
    nodes = flow(taken(drawn(opened, replace(AT_FIRST_BOUNDARY, variant="full"))))
    assert untaken(nodes)["session-memory"] == "the variant full names the summary"


def test_notes_stand_in_for_the_whole_branch() -> None:
    opened = sample("07")
    wish = Wish(variant="session-memory")
    nodes = flow(step(taken(with_notes(drawn(opened, wish)), 4)))
    assert [n.name for n in nodes if n.state == UNTAKEN] == ["prepare", "ask", "retry", "clean"]
    assert {n.why for n in nodes if n.state == UNTAKEN} == {"the notes stand in for a summary: no model is asked"}
    rails = "".join(n.rail[0] for n in nodes[4:10])
    assert rails == "╭││││╰"
    assert nodes[9].is_next and nodes[9].name == "restore"


def test_notes_that_would_leave_too_much_lead_from_assembly_to_the_full_way() -> None:
    opened = sample("07")
    run = with_notes(drawn(opened, Wish(edits=(("autoCompactWindow", "75000"),))))
    nodes = flow(taken(run))
    names = [n.name for n in nodes if n.at is not None]
    assert names[4:9] == ["session-memory", "restore", "hooks", "assemble", "prepare"] and names[-1] == "record"
    fell = next(i for i, n in enumerate(nodes) if n.name == "assemble")
    assert (nodes[fell].rail, nodes[fell + 1].rail) == ("╭─", "╰─")
    assert nodes[fell].result.outcome == "failed" and taken(run).outcome == "compacted"  # type: ignore[union-attr]


def with_notes(run: Run) -> Run:
    notes = parse(read_text(SAMPLES / "07-session-notes" / "session-memory" / "summary.md"))
    return replace(run, ground=replace(run.ground, notes=NotesGround(notes, "summary.md", 2e9)))


def test_what_was_gone_back_over_lies_ahead(run: Run) -> None:
    nodes = flow(rewind(taken(run), 2))
    assert [n.state for n in nodes[:4]] == [DONE, DONE, AHEAD, AHEAD]
    assert [n.name for n in nodes if n.is_next] == ["decide"]


def test_a_request_that_is_too_long_goes_round(run: Run) -> None:
    run = taken(run, 6)
    waiting = step(run)
    assert waiting.waiting is not None
    error = "prompt is too long: 202609 tokens > 200000 maximum"
    nodes = flow(taken(answer(waiting, waiting.waiting.key, Reply(TOO_LONG, error=error))))
    assert numbered(nodes)[5:10] == ["prepare", "ask", "retry", "ask", "clean"]
    assert untaken(nodes) == {}


def test_a_run_that_stops_shows_what_it_did_not_come_to(opened: Opened) -> None:
    run = taken(drawn(opened, Wish(Point("call", 3))))
    assert run.outcome == "skipped"
    nodes = flow(run)
    assert nodes[2].name == "decide" and nodes[3].state == UNTAKEN
    assert set(untaken(nodes).values()) == {"not reached"}


@pytest.mark.parametrize("variant", [v for v in VARIANTS if v not in ("from", "up-to")])
def test_every_variant_ends_with_every_result_in_the_flow(opened: Opened, variant: str) -> None:
    run = drawn(opened, replace(AT_FIRST_BOUNDARY, variant=variant))
    while not run.is_over:
        nodes = flow(run)
        following = next(n for n in nodes if n.is_next)
        assert following.name == run.next
        run = taken(run, len(run.results) + 1)
        assert place_of(flow(run), len(run.results) - 1) == [n.at for n in flow(run)].index(len(run.results) - 1)
    assert [n.name for n in flow(run) if n.at is not None] == [r.name for r in run.results]
