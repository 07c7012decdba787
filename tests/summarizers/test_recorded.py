"""The summary that a session holds, as if the model had given it again."""

import json

import pytest

from workbench.compaction.cleaning import clean
from workbench.compaction.profiles import resolve
from workbench.compaction.request import EMPTY, ERROR, OK, Request
from workbench.storage import MemoryFile, load, read_index
from workbench.summarizers.recorded import RecordedSummarizer, recorded_summary, reply_of, unwrapped

FRONT = "This session is being continued from a previous conversation that ran out of context. The summary below covers it."
WAY_BACK = "If you need specific details (like exact code), read the full transcript at: /home/u/.claude/s.jsonl"


def session_of(*summaries: str | None):
    """A session with a boundary for each text; None: a boundary without a summary."""
    rows: list[dict] = [{"type": "user", "uuid": "u0", "parentUuid": None, "message": {"role": "user", "content": "Begin."}}]
    for number, text in enumerate(summaries):
        rows.append({"type": "system", "subtype": "compact_boundary", "uuid": f"b{number}", "parentUuid": None})
        if text is not None:
            message = {"role": "user", "content": text}
            rows.append(
                {"type": "user", "uuid": f"s{number}", "parentUuid": f"b{number}", "isCompactSummary": True, "message": message}
            )
    return read_index(MemoryFile("\n".join(json.dumps(row) for row in rows).encode()))


def test_the_first_boundary_at_or_after_the_line():
    session = session_of("Summary:\none", "Summary:\ntwo")
    assert reply_of(session).text == "<summary>\none\n</summary>"
    assert [reply_of(session, line).text[10:13] for line in (1, 2, 3, 4)] == ["one", "one", "two", "two"]
    assert reply_of(session, 3).source == "recorded, line 5"


@pytest.mark.parametrize(
    ("session", "line", "outcome", "words"),
    [
        (session_of(), None, ERROR, "no recorded summary in the session"),
        (session_of("Summary:\none"), 3, ERROR, "no recorded summary at or after line 3"),
        (session_of(None, "Summary:\ntwo"), 2, ERROR, "The boundary at or after line 2 has no summary row"),
        (session_of(" "), None, EMPTY, "The recorded summary in line 3 is empty"),
    ],
)
def test_where_there_is_none_it_says_so(session, line, outcome, words):
    reply = RecordedSummarizer(session, line)(Request("summary", "summary:0", ""))
    assert reply.outcome == outcome
    assert words in reply.error


def test_the_frame_goes_and_the_tags_come_back():
    form = "Analysis:\nthoughts\n\nSummary:\n1. Primary Request and Intent:\n   all"
    text = f"{FRONT}\n\n{form}\n\n{WAY_BACK}\nPlease continue the conversation."
    assert unwrapped(text) == "<analysis>\nthoughts\n</analysis>\n\n<summary>\n1. Primary Request and Intent:\n   all\n</summary>"
    assert clean(unwrapped(text), resolve()).text == "Summary:\n1. Primary Request and Intent:\n   all"


def test_what_only_looks_like_a_frame_stays():
    text = (
        f"{FRONT}\n\nSummary:\nThe user said:\nPlease continue the conversation with Ann.\n\n9. Optional Next Step:\n   Ask her."
    )
    assert "Please continue the conversation with Ann." in unwrapped(text)


def test_a_summary_without_any_form_is_taken_as_it_is():
    assert unwrapped("Everything was done.") == "Everything was done."


@pytest.mark.parametrize("name", ["02-two-auto-compactions", "03-manual-kept-rows", "10-thrash", "11-long", "12-reactive"])
def test_of_each_sample_nothing_but_the_summary_is_left(name):
    session = load(f"sample_sessions/{name}.jsonl")
    for boundary in session.boundaries:
        found = recorded_summary(session, boundary.line)
        assert found is not None
        cleaned = clean(found.text, resolve())
        assert cleaned.text.startswith("Summary:\n1. Primary Request and Intent")
        assert "transcript" not in cleaned.text


def test_of_each_real_session_nothing_but_the_summary_is_left(shared):
    for path in sorted((shared / "real").glob("*.jsonl")) + sorted((shared / "real-new").glob("*.jsonl")):
        session = load(str(path))
        for boundary in session.boundaries:
            reply = reply_of(session, boundary.line)
            cleaned = clean(reply.text, resolve())
            assert (reply.outcome, cleaned.outcome) == (OK, OK), path.name
            assert cleaned.text.startswith("Summary:\n1. Primary Request and Intent"), path.name
            assert "transcript at:" not in cleaned.text.splitlines()[-1], path.name
