"""The error is read wherever it stands, and the next try leaves out what it must (section 6b)."""

import json

import pytest

from workbench.compaction.profiles import OBSERVED, resolve
from workbench.compaction.retry import MARKER_UUID, drop_oldest, retry, retry_marker, shorter_prefix
from workbench.compaction.rounds import rounds
from workbench.compaction.too_long import TooLong, read_error
from workbench.conversation.block import read_block
from workbench.conversation.row import Row

from .telling import assistant, text, turn, user

ARTICLES = resolve()
UNKNOWN = read_error("Prompt is too long")
SUM = "input length and `max_tokens` exceed context limit: {} + {} > {}, decrease input length or `max_tokens` and try again"


def of_sizes(*sizes: int) -> list[Row]:
    """A round for each size, in rough tokens."""
    return [r for size in sizes for r in (assistant(text(size // 2)), user(text(size - size // 2)))]


@pytest.mark.parametrize(
    ("message", "gap"),
    [
        ("prompt is too long: 202609 tokens > 200000 maximum", 2_609),
        ("PROMPT IS TOO LONG: 202,609 tokens > 200,000 maximum", 2_609),
        ("prompt is too long: 1000001 tokens > 1000000 maximum", 1),
        ("prompt is too long: 1 token > 0 maximum", 1),
        ("prompt is too long: 204648 tokens > 204648 maximum", None),
        ("prompt is too long: 100 tokens > 200000 maximum", None),
        ("Prompt is too long", None),
        ("Input is too long for requested model.", None),
        ("capability_rejected: prompt_too_long", None),
        (SUM.format(199759, 8192, 200000), 7_951),
        ("stop_reason: model_context_window_exceeded", None),
        ("413 request_too_large", None),
    ],
)
def test_the_gap_is_read_from_the_error(message, gap):
    error = read_error(message)
    assert error is not None and error.gap == gap


def test_the_error_is_found_in_json_within_json_however_it_escapes():
    inner = json.dumps({"type": "error", "error": {"message": "prompt is too long: 202,609 tokens > 200,000 maximum"}})
    assert read_error(json.dumps({"body": inner})).gap == 2_609
    assert read_error(inner.replace(">", "\\u003e")).gap == 2_609
    assert read_error(json.dumps({"body": inner.replace(">", "\\u003e")})).gap == 2_609


@pytest.mark.parametrize("message", ["overloaded_error", "messages.3: `tool_use` ids were found", "error at line 413", ""])
def test_another_error_is_not_too_long(message):
    assert read_error(message) is None


def test_the_sum_form_is_asked_again_with_what_is_left_for_output():
    again = retry(of_sizes(500, 500), read_error(SUM.format(190_000, 20_000, 200_000)), 0, ARTICLES)
    assert (again.action, again.max_tokens) == ("ask-smaller", 9_500)


def test_too_little_left_for_output_is_a_gap():
    error = read_error(SUM.format(199759, 8192, 200000))
    assert error.smaller_output(ARTICLES) is None
    assert retry(of_sizes(4000, 4000, 500), error, 0, ARTICLES).dropped_rounds == 2


@pytest.mark.parametrize(("gap", "dropped"), [(1_600, 2), (1_700, 2), (1_701, 3), (99_999, 3), (1, 1)])
def test_the_oldest_rounds_are_dropped_until_the_gap_is_covered(gap, dropped):
    assert drop_oldest(of_sizes(500, 1200, 900, 4000), gap, ARTICLES).dropped_rounds == dropped


@pytest.mark.parametrize(("count", "dropped"), [(4, 1), (10, 2), (14, 2), (15, 3), (2, 1)])
def test_an_unknown_gap_drops_a_fifth_of_the_rounds(count, dropped):
    assert drop_oldest(of_sizes(*[100] * count), None, ARTICLES).dropped_rounds == dropped


def test_a_single_round_cannot_be_dropped():
    again = drop_oldest(of_sizes(9_000), 2_609, ARTICLES)
    assert (again.action, again.missing) == ("give-up", 2_609)
    assert "2,609 tokens are missing" in again.reason


def test_the_marker_of_the_retry_before_is_removed_first_and_put_in_again():
    rows = [retry_marker(ARTICLES), *of_sizes(*[100] * 5)]
    again = drop_oldest(rows, None, ARTICLES)
    assert again.dropped_rounds == 1
    assert [r.uuid for r in again.rows].count(MARKER_UUID) == 1
    assert len(rounds(again.rows)) == 5  # the marker is the head of four rounds
    assert [c.kind for c in again.changes] == ["drop-marker", "drop-rounds", "insert-marker"]
    assert again.changes[1].uuids == tuple(r.uuid for r in rows[1:3])


def test_a_dropped_first_prompt_is_replaced_by_the_marker():
    rows = [user(text(10)), *turn(50), *turn(60)]
    again = drop_oldest(rows, 5, ARTICLES)
    assert (again.rows[0].uuid, again.rows[0].role, again.rows[0].is_meta) == (MARKER_UUID, "user", True)
    assert again.rows[1:] == tuple(rows[1:])


def test_after_three_retries_it_gives_up_saying_what_is_missing():
    rows = of_sizes(*[100] * 9)
    error = read_error("prompt is too long: 202609 tokens > 200000 maximum")
    assert [retry(rows, error, n, ARTICLES).action for n in (0, 2, 3)] == ["drop-oldest", "drop-oldest", "give-up"]
    assert "2,609 tokens are missing" in retry(rows, error, 3, ARTICLES).reason
    assert "unknown" in retry(rows, UNKNOWN, 3, ARTICLES).reason


@pytest.mark.parametrize("message", ["Prompt is too long", "prompt is too long: 300000 tokens > 200000 maximum"])
def test_today_the_prefix_is_halved_whatever_the_error_says(message):
    rows = [user(text(10)), *(r for _ in range(12) for r in turn(100))]
    error, observed, sizes = read_error(message), resolve(OBSERVED), []
    for attempt in range(4):
        again = retry(rows, error, attempt, observed)
        if again.action == "give-up":
            break
        assert (*again.rows, *again.kept) == tuple(rows)
        sizes.append(len(rounds(again.rows)) - 1)
        rows = list(again.rows)
    assert sizes == [6, 3, 1]
    assert again.action == "give-up"


def test_one_round_cannot_be_halved():
    assert shorter_prefix(of_sizes(50), None).action == "give-up"


def test_a_body_of_too_many_bytes_is_sent_without_pictures_and_text_alone_fails_at_once():
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    rows = [
        user(read_block(picture), text(3)),
        assistant(),
        user(read_block({"type": "tool_result", "tool_use_id": "A", "content": [picture, {"type": "document", "source": {}}]})),
    ]
    again = retry(rows, read_error("413 request_too_large"), 0, ARTICLES)
    assert again.action == "strip-media"
    assert again.rows[0].blocks[0].body == {"type": "text", "text": "[image]"}
    assert [p["text"] for p in again.rows[2].blocks[0].body["content"]] == ["[image]", "[document]"]
    assert again.rows[1] is rows[1]
    assert again.changes[0].uuids == (rows[0].uuid, rows[2].uuid)
    assert retry(again.rows, TooLong("size"), 1, ARTICLES).action == "give-up"
