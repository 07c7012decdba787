"""Outcomes by model, kept over sessions."""

from workbench.compaction.request import EMPTY, ERROR, OK, TOOL_CALL, Reply, Usage
from workbench.summarizers.outcome_log import log_path, remember, remembered
from workbench.summarizers.outcomes import ONLY_ANALYSIS, Asked, asked, kind_of, rates


def test_the_kinds_that_are_counted():
    assert kind_of(Reply(text="<summary>all</summary>")) == OK
    assert kind_of(Reply(text="just text")) == OK
    assert kind_of(Reply(text="<analysis>never closed")) == ONLY_ANALYSIS
    assert kind_of(Reply(text="<Analysis>x</Analysis> and text")) == OK
    assert kind_of(Reply(TOOL_CALL)) == TOOL_CALL


def test_the_rates_of_each_model():
    ends = [OK] * 35 + [TOOL_CALL]
    found = rates([*(Asked("sonnet", end) for end in ends), Asked("opus", EMPTY)])
    assert [(rate.model, rate.total) for rate in found] == [("sonnet", 36), ("opus", 1)]
    assert dict(found[0].counts) == {OK: 35, TOOL_CALL: 1}
    assert round(found[0].share(TOOL_CALL), 2) == 2.78
    assert found[1].share(OK) == 0


def test_what_is_remembered_comes_back(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "new" / "data"))
    first = asked(
        "opus", Reply(OK, "secret", "end_turn", usage=Usage(10, 2), duration_ms=5), at="2026-11-01T00:00:00Z", retries=1
    )
    remember(first)
    remember(Asked("opus", ERROR))
    assert remembered() == (first, Asked("opus", ERROR))
    assert "secret" not in log_path().read_text()
    assert log_path().parent == tmp_path / "new" / "data"


def test_lines_that_cannot_be_read_are_passed_over(tmp_path):
    path = tmp_path / "log.jsonl"
    lines = [
        '{"model": "a", "outc',
        "[]",
        '{"model": "a", "outcome": "magic"}',
        '{"model": "a", "outcome": "ok", "prompt": "x"}',
        "",
    ]
    path.write_text("\n".join(lines))
    assert remembered(path) == (Asked("a", OK),)
    remember(Asked("b", OK), path)
    assert [record.model for record in remembered(path)] == ["a", "b"]


def test_without_a_file_nothing_is_remembered(tmp_path):
    assert remembered(tmp_path / "none.jsonl") == ()
