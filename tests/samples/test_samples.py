"""Holds the committed sample sessions against their stories, their format and their own numbers."""

import struct
from base64 import b64decode
from itertools import pairwise
from pathlib import Path

import pytest

from .catalog import SAMPLES, all_files
from .meter import compact_json, rough
from .transcript import block_rough, blocks_of, calls_of, prompt_of, reply_rough, requests_of, rows_of, sent_rough

FOLDER = Path(__file__).parents[2] / "sample_sessions"
FILES = all_files()
SESSIONS = [name for name in FILES if name.endswith(".jsonl")]
SOUND = [name for name in SESSIONS if not name.startswith("09-")]
TOLD = [name for name in SOUND if name[:2] not in ("05", "06")]  # no rewound branch, no fault


def test_the_committed_files_are_what_the_stories_write():
    committed = {str(path.relative_to(FOLDER)): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}
    assert sorted(committed) == sorted(FILES)
    assert [name for name in FILES if committed[name] != FILES[name]] == []


def test_no_sample_is_large():
    assert max(len(content) for content in FILES.values()) <= 1_200_000
    assert sum(len(content) for content in FILES.values()) <= 5_000_000


def test_the_readme_has_a_line_for_every_sample():
    for sample in SAMPLES:
        assert FILES["README.md"].decode().count(f"`{sample.name}.jsonl`") == 1


@pytest.mark.parametrize("name", SOUND)
def test_every_row_has_its_own_uuid_and_a_parent_in_the_file(name):
    nodes = [row for row in rows_of(FILES[name]) if "uuid" in row]
    uuids = {row["uuid"] for row in nodes}
    missing = [row for row in nodes if row["parentUuid"] is not None and row["parentUuid"] not in uuids]
    assert len(uuids) == len(nodes)
    assert len(missing) == (1 if name.startswith("06-") else 0)


@pytest.mark.parametrize("name", [name for name in SOUND if not name.startswith("06-")])
def test_every_call_has_one_result(name):
    blocks = [block for row in rows_of(FILES[name]) for block in blocks_of(row)]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert calls == list(dict.fromkeys(calls))
    assert sorted(calls) == sorted(block["tool_use_id"] for block in blocks if block["type"] == "tool_result")


def test_the_orphans_are_of_each_kind():
    rows = rows_of(FILES["06-orphans.jsonl"])
    order = [
        (block["type"], block.get("id") or block["tool_use_id"])
        for row in rows
        for block in blocks_of(row)
        if block["type"].startswith("tool_")
    ]
    calls = [call for kind, call in order if kind == "tool_use"]
    results = [call for kind, call in order if kind == "tool_result"]
    assert [calls.index(call) for call in calls if call not in results] == [1]
    assert [call for call in calls if results.count(call) == 2] == [calls[2]]
    assert [
        call for call in calls if call in results and order.index(("tool_result", call)) < order.index(("tool_use", call))
    ] == [calls[3]]


@pytest.mark.parametrize("name", SOUND)
def test_the_rows_of_a_reply_repeat_the_input_side(name):
    sides: dict[str, set[int]] = {}
    for row in rows_of(FILES[name]):
        if row["type"] == "assistant":
            sides.setdefault(row["message"]["id"], set()).add(prompt_of(row))
    assert all(len(found) == 1 for found in sides.values())


@pytest.mark.parametrize("name", TOLD)
def test_the_context_grows_by_what_was_added(name):
    rows = rows_of(FILES[name])
    calls = calls_of(rows)
    checked = 0
    for before, after in pairwise(calls):
        between = rows[rows.index(before) + 1 : rows.index(after)]
        if any(str(row.get("subtype", "")).endswith("compact_boundary") for row in between):
            continue
        growth = prompt_of(after) - prompt_of(before)
        assert growth > 0
        images = sum(
            1
            for row in between
            for block in blocks_of(row)
            for inner in block.get("content", "")
            if inner != "" and isinstance(inner, dict) and inner["type"] == "image"
        )
        added = sum(sent_rough(row) for row in between) + reply_rough(rows, before["message"]["id"])
        if added >= 500 and not images:
            checked += 1
            assert 1.15 <= growth / added <= 1.45
    assert checked or len(calls) < 12


@pytest.mark.parametrize("name", TOLD)
def test_a_boundary_remembers_the_context_before_it(name):
    rows = rows_of(FILES[name])
    for place, row in enumerate(rows):
        if row.get("subtype") != "compact_boundary":
            continue
        last = calls_of(rows[:place])[-1]
        after = sum(sent_rough(each) for each in rows[rows.index(last) + 1 : place])
        known = prompt_of(last) + after + last["message"]["usage"]["output_tokens"]
        recorded = row["compactMetadata"]["preTokens"]
        assert recorded == known if "postTokens" in row["compactMetadata"] else 0 <= recorded - known < recorded / 100


@pytest.mark.parametrize(
    ("name", "triggers", "low", "high"),
    [
        ("02-two-auto-compactions", ["auto", "auto"], 167_000, 171_000),
        ("03-manual-kept-rows", ["manual"], 50_000, 60_000),
        ("04-microcompaction", ["auto"], 155_000, 158_000),
        ("10-thrash", ["auto"] * 3, 67_000, 80_000),
        ("11-long", ["auto", "manual", "auto"], 55_000, 73_000),
        ("12-reactive", ["auto"], 25_000, 25_100),
    ],
)
def test_compactions_happen_where_the_story_has_them(name, triggers, low, high):
    metadata = [row["compactMetadata"] for row in rows_of(FILES[f"{name}.jsonl"]) if row.get("subtype") == "compact_boundary"]
    assert [each["trigger"] for each in metadata] == triggers
    assert all(low <= each["preTokens"] <= high for each in metadata)


def test_recorded_requests_hold_the_results_of_their_rows():
    rows = rows_of(FILES["03-manual-kept-rows.jsonl"])
    calls = calls_of(rows)
    requests = list(requests_of(rows))
    texts = {block["tool_use_id"]: block["content"] for row in rows for block in blocks_of(row) if block["type"] == "tool_result"}
    assert [row["id"] for row, _ in requests] == [call["requestRef"] for call in calls]
    for _, messages in requests:
        assert [message["role"] for message in messages] == [("user", "assistant")[turn % 2] for turn in range(len(messages))]
        asked: list[str] = []
        for message in messages:
            blocks = message["content"] if isinstance(message["content"], list) else []
            answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
            assert answered == asked
            assert all(
                block["content"].startswith(texts[block["tool_use_id"]]) for block in blocks if block["type"] == "tool_result"
            )
            asked = [block["id"] for block in blocks if block["type"] == "tool_use"]


def test_the_array_after_the_manual_compaction_is_summary_kept_reply_and_the_rest():
    rows = rows_of(FILES["03-manual-kept-rows.jsonl"])
    boundary = next(place for place, row in enumerate(rows) if row.get("subtype") == "compact_boundary")
    summary = rows[boundary + 1]
    kept = rows[boundary]["compactMetadata"]["preservedMessages"]["uuids"]
    request = next(row for row in rows[boundary:] if row["type"] == "api-request")
    messages = next(found for row, found in requests_of(rows) if row["id"] == request["id"])
    assert request["keep"] == 0 and len(messages) == 3
    assert messages[0]["content"] == summary["message"]["content"]
    assert messages[1]["content"] == [block for row in rows if row.get("uuid") in kept for block in blocks_of(row)]
    assert sum("as it was last read" in block["text"] for block in messages[2]["content"]) == 3
    assert "too large to be sent again" in compact_json(messages[2])


def test_the_microcompaction_counts_what_it_clears():
    rows = rows_of(FILES["04-microcompaction.jsonl"])
    metadata = next(row["microcompactMetadata"] for row in rows if row.get("subtype") == "microcompact_boundary")
    blocks = {block["tool_use_id"]: block for row in rows for block in blocks_of(row) if block["type"] == "tool_result"}
    assert metadata["tokensSaved"] == sum(block_rough(blocks[call]) for call in metadata["compactedToolIds"])
    assert all(blocks[call]["content"] != "" for call in metadata["compactedToolIds"])


def test_the_preference_is_in_the_first_summary_and_lost_in_the_second():
    first, second = (
        row["message"]["content"] for row in rows_of(FILES["02-two-auto-compactions.jsonl"]) if row.get("isCompactSummary")
    )
    assert "no helper with callbacks" in first
    assert "callback" not in second


def test_the_notes_have_ten_sections_and_one_over_its_limit():
    notes = FILES["07-session-notes/session-memory/summary.md"].decode()
    sections = ("\n" + notes).split("\n# ")[1:]
    assert len(sections) == 10
    assert all(section.split("\n")[1].startswith("_") for section in sections)
    assert [section.split("\n")[0] for section in sections if rough(section) > 2_000] == ["Worklog"]


def test_the_pictures_are_small_pngs():
    rows = rows_of(FILES["08-images-and-sub-agents.jsonl"])
    images = [
        inner
        for row in rows
        for block in blocks_of(row)
        for inner in (block, *block.get("content", ()))
        if isinstance(inner, dict) and inner["type"] == "image"
    ]
    for image in images:
        data = b64decode(image["source"]["data"])
        assert data.startswith(b"\x89PNG\r\n\x1a\n") and struct.unpack(">II", data[16:24]) == (400, 300)
    assert len(images) == 2


def test_the_sub_agent_belongs_to_its_session():
    rows = rows_of(FILES["08-images-and-sub-agents.jsonl"])
    outcome = next(row["toolUseResult"] for row in rows if "agentId" in (row.get("toolUseResult") or ()))
    helper = rows_of(FILES[f"08-images-and-sub-agents/subagents/agent-{outcome['agentId']}.jsonl"])
    assert {(row["isSidechain"], row["agentId"], row["sessionId"]) for row in helper} == {
        (True, outcome["agentId"], rows[-1]["sessionId"])
    }


def test_the_last_prompt_names_the_living_branch():
    rows = rows_of(FILES["05-parallel-calls.jsonl"])
    parents = {row["uuid"]: row["parentUuid"] for row in rows if "uuid" in row}
    leaf = next(row["leafUuid"] for row in reversed(rows) if row["type"] == "last-prompt")
    chain = set()
    while leaf:
        chain.add(leaf)
        leaf = parents[leaf]
    dead = [block["text"] for row in rows if row.get("uuid") not in chain for block in blocks_of(row) if block["type"] == "text"]
    assert any(text.startswith("Keep folded names") for text in dead)
    assert not any(text.startswith("On second thought") for text in dead)


def test_the_damage_is_all_there():
    content = FILES["09-damage.jsonl"]
    lines = content.split(b"\n")
    assert content.startswith(b"\xef\xbb\xbf{") and not content.endswith(b"\n")
    assert lines.count(b"") == 1 and b"   " in lines and b"\0" * 64 in lines
    assert any(b"}{" in line for line in lines) and b"\\ud83c" in content and b"\\u0000" in content
    assert b'"type":"lantern"' in content and b'"type":"hologram"' in content
