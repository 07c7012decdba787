"""What the Boundary tab knows of a compaction: its record, what it kept, where it stands, what it gained."""

from pathlib import Path
from typing import Any

from tests.workspace.making import open_file, sample, text, write
from workbench.workspace.boundary_fields import UNEXPLAINED, metadata_facts, record_facts
from workbench.workspace.boundary_view import BoundaryView, NoBoundary, boundary_view
from workbench.workspace.gain import FIRES_AGAIN, NO_GAIN, OPEN, REAL, cleared_of


def told(name: str, number: int = 0) -> BoundaryView:
    view = boundary_view(sample(name), number)
    assert isinstance(view, BoundaryView)
    return view


def test_every_field_is_there_and_explained() -> None:
    view = told("03")
    facts = {fact.name: fact for fact in view.metadata}
    assert facts["preTokens"].value == "56,633"
    assert facts["postTokens"].kind == "lower bound"
    assert {"preservedSegment.headUuid", "preservedMessages.uuids", "trigger", "durationMs"} <= set(facts)
    assert not [fact.name for fact in view.metadata if not fact.meaning]
    assert next(fact for fact in view.record if fact.name == "parentUuid").value == "null"


def test_a_field_nobody_knows_is_shown_as_it_is() -> None:
    (fact,) = metadata_facts({"flavour": {"of": ["the", "day"]}})
    assert (fact.name, fact.value, fact.meaning) == ("flavour.of", '["the","day"]', UNEXPLAINED)


def test_both_spellings_have_a_meaning() -> None:
    camel, snake = metadata_facts({"preTokens": 1, "pre_tokens": 1})
    assert camel.meaning == snake.meaning != UNEXPLAINED
    assert snake.name == "pre_tokens"


def test_the_record_around_it_says_the_most_telling_first_and_no_bulk() -> None:
    facts = record_facts({"cwd": "/a", "message": {"content": "long"}, "uuid": "u", "compactMetadata": {}})
    assert [fact.name for fact in facts] == ["uuid", "cwd"]


def test_kept_rows_are_looked_up() -> None:
    view = told("12")
    assert len(view.kept.rows) == 16
    assert not view.kept.ignored
    assert [row.line for row in view.kept.rows] == sorted(row.line or 0 for row in view.kept.rows)
    assert view.kept.anchor == view.summary


def test_without_kept_rows() -> None:
    assert told("02").kept.rows == ()


def test_the_summary_is_there_whole() -> None:
    view = told("02", 1)
    assert view.summary is not None and view.summary.line == view.boundary.line + 1
    assert view.summary_text.startswith("This session goes on from an earlier conversation")


def test_what_was_gained() -> None:
    gain = told("02").gain
    assert (gain.verdict, gain.next_call.tokens, gain.next_call.kind) == (REAL, 59_309, "exact")
    assert (gain.overhead.tokens or 0) + (gain.carried.tokens or 0) + (gain.unrecorded.tokens or 0) == 59_309
    assert gain.unrecorded.kind == "estimated"


def test_a_boundary_that_is_bypassed_gains_nothing() -> None:
    view = told("09")
    assert not view.standing.on_chain
    assert view.standing.evidence.startswith("line 25 hangs on line 19")
    assert view.gain.verdict == NO_GAIN


def test_an_earlier_boundary_was_on_the_chain_in_its_time() -> None:
    first, second = told("02", 0), told("02", 1)
    assert first.standing.on_chain and "later compaction" in first.standing.evidence
    assert second.standing.evidence == "the array of now starts behind it"


def test_a_session_without_compaction() -> None:
    assert boundary_view(sample("01"), None) == NoBoundary()


def test_what_a_microcompaction_says_it_saved_and_what_the_calls_say() -> None:
    (cleared,) = cleared_of(sample("04").session)
    assert (cleared.results, cleared.found, cleared.saved, cleared.rough) == (16, 16, 21_033, 21_033)
    assert cleared.drop == 133_771 - 106_989


def record(number: int, parent: int | None, role: str, words: str, prompt: int = 0, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": role, "content": [text(words)]}
    if prompt:
        message |= {"id": f"msg_{number}", "model": "claude-opus-4-6", "usage": {"input_tokens": prompt, "output_tokens": 9}}
    ids = {"uuid": f"u{number}", "parentUuid": None if parent is None else f"u{parent}"}
    return {"type": role, **ids, "timestamp": f"2026-01-01T00:00:{number:02}Z", "version": "2.1.332", "message": message, **more}


def boundary(number: int, **metadata: Any) -> dict[str, Any]:
    return {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": f"u{number}",
        "parentUuid": None,
        "compactMetadata": metadata,
    }


def compacted(path: Path, after: int | None, **metadata: Any) -> BoundaryView:
    records = [
        record(1, None, "user", "go"), record(2, 1, "assistant", "done", 150_000), boundary(3, **metadata),
        record(4, 3, "user", "Summary: went", isCompactSummary=True),
    ]  # fmt: skip
    records += [record(5, 4, "assistant", "on it", after)] if after else []
    view = boundary_view(open_file(write(path / "s.jsonl", *records)), 0)
    assert isinstance(view, BoundaryView)
    return view


def test_verdicts(tmp_path: Path) -> None:
    found = [compacted(tmp_path, after, preTokens=180_000).gain.verdict for after in (30_000, 175_000, 190_000, None)]
    assert found == [REAL, FIRES_AGAIN, NO_GAIN, OPEN]


def test_a_first_call_larger_than_the_one_after_tells_nothing_of_what_is_not_recorded(tmp_path: Path) -> None:
    gain = compacted(tmp_path, 30_000, preTokens=150_000).gain
    assert gain.unrecorded.tokens is None
    assert "first call was larger" in gain.unrecorded.source


def test_one_kept_row_is_missing(tmp_path: Path) -> None:
    kept = compacted(tmp_path, None, preservedMessages={"anchorUuid": "u4", "uuids": ["u2", "gone"]}).kept
    assert [row.line for row in kept.rows] == [2, None]
    assert kept.ignored.startswith("1 of 2 are not in the file")


def test_a_segment_is_walked_and_says_so_when_it_leads_nowhere(tmp_path: Path) -> None:
    good = compacted(tmp_path, None, preservedSegment={"headUuid": "u1", "anchorUuid": "u4", "tailUuid": "u2"}).kept
    bad = compacted(tmp_path, None, preservedSegment={"headUuid": "gone", "anchorUuid": "u4", "tailUuid": "u2"}).kept
    assert ([row.line for row in good.rows], good.ignored) == ([1, 2], "")
    assert [row.line for row in bad.rows] == [None, 2] and "never comes to the head" in bad.ignored


def test_a_record_without_metadata(tmp_path: Path) -> None:
    view = compacted(tmp_path, None)
    assert (view.metadata, view.raw, view.kept.rows, view.gain.before.kind) == ((), None, (), "unknown")
