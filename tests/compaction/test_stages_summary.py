"""The full compaction: what is asked by which variant, what becomes of the reply, retries when too long (spec 1, section 6)."""

from __future__ import annotations

import pytest

from tests.compaction.running import SUMMARY, begun, changes, done, names, number, sent_rows, stage, well
from tests.compaction.telling import assistant, text, turn, user
from workbench.compaction.request import EMPTY, OK, TOO_LONG, TOOL_CALL, TRUNCATED, Reply, Request
from workbench.compaction.result import messages_of
from workbench.compaction.run import COMPACTED, FAILED_RUN, Run, forward
from workbench.conversation.block import read_block, text_block
from workbench.conversation.row import Row
from workbench.conversation.wording import noun

IMAGE = read_block({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}})
DOCUMENT = read_block({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}})
ROWS = (user(text(50)), *(row for n in range(5) for row in turn(100, f"toolu_r{n}")), assistant(text(20)))


def requests(run: Run) -> list[Request]:
    """The summary requests in order."""
    return [r.picture for r in run.results if r.name == "ask"]  # type: ignore[misc]


def texts(request: Request) -> str:
    return "\n".join(str((b.body or {}).get("text", "")) for m in request.messages for b in m.blocks)


class Scripted:
    """Answers one request after the other as it is told, then well."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)

    def __call__(self, request: Request) -> Reply:
        return self.replies.pop(0) if self.replies else well(request)


# 6.1 hooks


def test_a_hook_s_text_joins_the_instructions() -> None:
    run = done(ROWS, instructions="Keep the numbers.", hooks={"pre": "Name the tests."})
    prompt = requests(run)[0].prompt
    assert prompt.index("Keep the numbers.") < prompt.index("Name the tests.")
    assert "15 characters of instructions" in stage(run, "pre-hook").reason


@pytest.mark.parametrize(
    ("variant", "trigger", "words"),
    [
        ("auto", "auto", "next turn asks again"),
        ("reactive", "auto", "API's error is shown"),
        ("full", "manual", "Nothing is done"),
    ],
)
def test_a_blocking_hook_ends_the_attempt_and_is_no_failure(variant: str, trigger: str, words: str) -> None:
    run = done(ROWS, variant, trigger=trigger, tokens=170_000, hooks={"pre-blocked": "A release is on."})
    assert run.outcome == "skipped"
    assert "A release is on." in run.reason and words in run.reason
    assert names(run)[-1] == "pre-hook"


# 6.2 requests


def test_the_first_request_is_the_conversation_unchanged_and_the_instruction_behind_it() -> None:
    rows = (user(text_block("Look."), IMAGE, DOCUMENT), *ROWS)
    (request,) = requests(done(rows))
    array = messages_of(rows)
    assert request.shared_prefix
    assert request.messages[: len(array)] == array
    assert request.messages[-1].role == "user" and request.messages[-1].blocks[-1].body == {
        "type": "text",
        "text": request.prompt,
    }
    assert request.covers == rows
    assert request.max_tokens == 20_000


def test_behind_a_user_message_the_instruction_joins_it() -> None:
    (request,) = requests(done(ROWS[:-1]))
    assert len(request.messages) == len(messages_of(ROWS[:-1]))
    assert [b.kind for b in request.messages[-1].blocks] == ["tool_result", "text"]


@pytest.mark.parametrize(
    "first",
    [Reply(TOOL_CALL, error="It called Read."), Reply(EMPTY), Reply(text="  "), Reply(TRUNCATED, stop_reason="max_tokens")],
)
def test_without_any_text_one_plain_attempt_follows(first: Reply) -> None:
    file = user(text_block("<system-reminder>\nprint(42)\n</system-reminder>", "reminder"), kind="attachment:file")
    queued = user(text_block("<system-reminder>\nhurry\n</system-reminder>", "reminder"), kind="attachment:queued_command")
    run = done((user(text_block("Look."), IMAGE, DOCUMENT), file, queued, *ROWS), ask=Scripted(first))
    plain = requests(run)[1]
    assert run.outcome == COMPACTED and len(requests(run)) == 2
    assert not plain.shared_prefix
    assert "[image]" in texts(plain) and "[document]" in texts(plain)
    assert not [b for m in plain.messages for b in m.blocks if b.kind in ("image", "document")]
    assert "print(42)" not in texts(plain), "it is brought back anyway"
    assert "hurry" in texts(plain), "what the user queued is said nowhere else"
    assert [a.outcome for a in run.work.requests][1] == OK


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        (Reply(text="<analysis>only thoughts</analysis>"), "empty"),
        (Reply(text="<summary>half a sum", stop_reason="max_tokens"), "truncated"),
    ],
)
def test_a_reply_with_text_but_no_summary_fails_at_once(reply: Reply, word: str) -> None:
    run = done(ROWS, ask=Scripted(reply))
    assert run.outcome == FAILED_RUN
    assert run.reason.startswith(f"{word}: ")
    assert len(requests(run)) == 1


def test_twice_without_text_is_a_failure() -> None:
    run = done(ROWS, ask=Scripted(Reply(TOOL_CALL), Reply(TOOL_CALL)))
    assert run.outcome == FAILED_RUN and run.reason.startswith("tool call: ")
    assert [a.outcome for a in run.work.requests] == [TOOL_CALL, TOOL_CALL]


def test_the_number_of_fallbacks_is_a_setting() -> None:
    assert len(requests(done(ROWS, "full", "fallbackAttempts=0", ask=Scripted(Reply(EMPTY))))) == 1
    assert len(requests(done(ROWS, "full", "fallbackAttempts=2", ask=Scripted(Reply(EMPTY), Reply(EMPTY))))) == 3


@pytest.mark.parametrize(
    ("flags", "model", "most"),
    [
        ((), "claude-opus-4-5-20251101", 20_000),
        (("maxOutputTokens=8192",), "claude-opus-4-5-20251101", 8_192),
        (("summaryMaxTokens=100000",), "claude-opus-4-5-20251101", 64_000),
        ((), "nobody-knows-it", 20_000),
    ],
)
def test_max_tokens_is_the_setting_or_the_model_s_largest_output(flags: tuple[str, ...], model: str, most: int) -> None:
    assert requests(done(ROWS, "full", *flags, model=model))[0].max_tokens == most


# 6.3 variants


def test_what_each_variant_asks_and_leaves() -> None:
    pivot = ROWS[5].uuid
    full, onwards, up_to = (done(ROWS, v, pivot=None if v == "full" else pivot) for v in ("full", "from", "up-to"))
    whole = [m.role for m in messages_of(ROWS)]
    assert [m.role for m in requests(full)[0].messages[: len(whole)]] == whole
    assert requests(onwards)[0].messages[: len(whole)] == messages_of(ROWS), "the same prefix, so that the cache hits"
    assert requests(onwards)[0].covers == ROWS[5:], "the summary stands for what is not kept"
    assert requests(up_to)[0].covers == ROWS[:5]
    assert len(requests(up_to)[0].messages) < len(whole)
    assert full.work.kept == ()
    assert onwards.work.kept == ROWS[:5] and up_to.work.kept == ROWS[5:]
    assert "8. Work Completed" in requests(up_to)[0].prompt and "9. Context for Continuing Work" in requests(up_to)[0].prompt
    assert "Optional Next Step" not in requests(up_to)[0].prompt
    for run in (full, onwards):
        assert "8. Current Work" in requests(run)[0].prompt and "9. Optional Next Step" in requests(run)[0].prompt


def test_the_order_of_the_result_is_that_of_the_variant() -> None:
    pivot = ROWS[5].uuid
    hooks = {"session-start": "Mind the gap."}
    onwards, up_to = (done(ROWS, v, pivot=pivot, hooks=hooks) for v in ("from", "up-to"))
    boundary, summary, hook = up_to.work.boundary, up_to.work.summary_row, up_to.work.hook_rows
    assert up_to.work.rows == (boundary, summary, *ROWS[5:], *hook)
    boundary, summary, hook = onwards.work.boundary, onwards.work.summary_row, onwards.work.hook_rows
    assert onwards.work.rows == (boundary, *ROWS[:5], summary, *hook)


@pytest.mark.parametrize("variant", ["from", "up-to"])
def test_a_pivot_that_is_not_there_is_named(variant: str) -> None:
    run = done(ROWS, variant, pivot="nobody")
    assert run.outcome == FAILED_RUN and "nobody is not in the array" in run.reason


def test_a_cut_with_nothing_to_summarise_fails_in_a_sentence() -> None:
    assert "nothing to summarise" in done(ROWS, "up-to", pivot=ROWS[0].uuid).reason
    note = Row(-1, 99, "link", "system:turn_duration", None)
    assert "nothing to summarise" in done((*ROWS, note), "from", pivot="link").reason


def test_an_earlier_summary_in_what_stays_is_not_lost() -> None:
    earlier = user(text_block("What was before."), is_summary=True)
    rows = (Row(-1, 1, "b", "system:compact_boundary", None), *ROWS[:3], earlier, *ROWS[3:])
    run = done(rows, "up-to", pivot=ROWS[1].uuid)
    assert earlier in run.work.kept and earlier in run.work.rows
    assert not [r for r in run.work.kept if r.kind == "system:compact_boundary"]


# 6.6 cleaning


def test_the_summary_is_cleaned_wrapped_and_marked() -> None:
    run = done(ROWS)
    (row,) = [r for r in run.work.rows if r.is_summary]
    words = str((row.blocks[0].body or {})["text"])
    assert run.work.summary == "Summary:\nWhat was done, in short."
    assert run.work.summary in words and "/sessions/told.jsonl" in words
    assert "thoughts" not in words
    assert row.role == "user"


@pytest.mark.parametrize(("trigger", "goes_on"), [("auto", True), ("manual", False)])
def test_only_an_automatic_one_says_to_go_on_without_asking(trigger: str, goes_on: bool) -> None:
    run = done(ROWS, trigger=trigger)
    told = str(stage(run, "clean").after[0].blocks[0].body)
    assert ("Ask nothing first" in told) == goes_on


def test_with_a_kept_tail_the_continuation_says_that_it_follows() -> None:
    assert "The newest messages were kept" in str(done(ROWS, "up-to", pivot=ROWS[5].uuid).work.summary_row)
    for variant in ("full", "from"):
        assert "The newest messages were kept" not in str(done(ROWS, variant, pivot=ROWS[5].uuid).work.summary_row)


# 6b too long


def rounds(*sizes: int) -> tuple[Row, ...]:
    """Rounds of these sizes, the first of them what precedes the first call."""
    head, *rest = sizes
    return (user(text(head)), *(row for size in rest for row in turn(size)))


def asked_again(rows: tuple[Row, ...], error: str, *flags: str) -> Run:
    return done(rows, "full", *flags, ask=Scripted(Reply(TOO_LONG, error=error)))


@pytest.mark.parametrize(
    ("error", "dropped"),
    [
        ("prompt is too long: 201600 tokens > 200000 maximum", 2),
        ("prompt is too long: 299999 tokens > 200000 maximum", 3),
        ("prompt is too long: 200500 tokens > 200000 maximum", 1),
        ("prompt is too long", 1),
        ("prompt is too long: 204648 tokens > 204648 maximum", 1),
    ],
)
def test_the_oldest_rounds_go_until_the_gap_is_covered(error: str, dropped: int) -> None:
    rows = rounds(500, 1_200, 900, 4_000)
    run = asked_again(rows, error)
    assert run.outcome == COMPACTED
    assert f"The oldest {dropped} of 4 rounds {noun(dropped, 'is', 'are')} left out" in stage(run, "retry").reason
    again = requests(run)[1]
    assert again.covers == rows[1 + 2 * (dropped - 1) :]
    assert again.messages[0].blocks[0].head.startswith("[The oldest part of this conversation was left out")
    assert run.work.rows[1:] == (run.work.summary_row,), "what left the request is not kept"


@pytest.mark.parametrize(("count", "dropped"), [(4, 1), (10, 2), (14, 2)])
def test_without_numbers_a_fifth_of_the_rounds_goes(count: int, dropped: int) -> None:
    run = asked_again(rounds(*[100] * count), "Prompt is too long")
    assert f"The oldest {dropped} of {count} rounds" in stage(run, "retry").reason


def test_a_single_round_gives_up_and_says_what_is_missing() -> None:
    run = asked_again(rounds(100), "prompt is too long: 202609 tokens > 200000 maximum")
    assert run.outcome == FAILED_RUN
    assert "2,609 tokens are missing" in run.reason
    assert number(stage(run, "retry"), "gap") == "2,609 tokens"


def test_a_second_retry_takes_the_marker_away_first() -> None:
    refusal = Reply(TOO_LONG, error="prompt is too long")
    run = done(rounds(100, 100, 100, 100, 100, 100), ask=Scripted(refusal, refusal))
    retries = [r for r in run.results if r.name == "retry"]
    assert [c.kind for c in retries[0].changes] == ["drop-rounds", "insert-marker"]
    assert [c.kind for c in retries[1].changes] == ["drop-marker", "drop-rounds", "insert-marker"]
    assert "1 of 5 rounds" in retries[1].reason
    assert [a.retries for a in run.work.requests] == [0, 1, 2]


def test_a_sum_that_leaves_room_is_asked_again_with_less_output() -> None:
    limit = "input length and `max_tokens` exceed context limit: {} + 8192 > 200000, decrease input length"
    roomy = asked_again(ROWS, limit.format(195_000))
    assert [r.max_tokens for r in requests(roomy)] == [20_000, 4_500]
    assert requests(roomy)[1].covers == ROWS
    tight = asked_again(rounds(5_000, 5_000, 5_000), limit.format(199_759))
    assert number(stage(tight, "retry"), "gap") == "7,951 tokens"
    assert "2 of 3 rounds" in stage(tight, "retry").reason


@pytest.mark.parametrize("times", [1, 2, 3])
def test_three_retries_are_allowed(times: int) -> None:
    run = done(rounds(*[100] * 9), ask=Scripted(*[Reply(TOO_LONG, error="prompt is too long")] * times))
    assert run.outcome == COMPACTED and run.work.retries == times


def test_the_fourth_answer_too_long_is_a_failure_that_says_how_much_is_missing() -> None:
    error = "prompt is too long: 200100 tokens > 200000 maximum"
    run = done(rounds(*[100] * 9), ask=Scripted(*[Reply(TOO_LONG, error=error)] * 4))
    assert run.outcome == FAILED_RUN
    assert "3 retries are the limit; 100 tokens are missing" in run.reason


def test_with_a_kept_prefix_rounds_leave_the_request_and_stay_in_the_result() -> None:
    rows, refusal = rounds(*[100] * 6), Reply(TOO_LONG, error="prompt is too long")
    for profile in ("articles", "observed-2.1.332"):
        run = done(rows, "from", pivot=rows[5].uuid, profile=profile, ask=Scripted(refusal, refusal))
        assert run.outcome == COMPACTED
        assert run.work.kept == rows[:5]
        assert requests(run)[-1].covers == rows[5:]
        assert len(requests(run)[-1].messages) < len(requests(run)[0].messages)


def test_too_many_bytes_are_met_by_leaving_out_pictures_once() -> None:
    rows = (user(text_block("Look."), IMAGE), *ROWS)
    refusal = Reply(TOO_LONG, error="413 request_too_large")
    run = done(rows, "up-to", pivot=ROWS[5].uuid, ask=Scripted(refusal))
    assert run.outcome == COMPACTED and "[image]" in texts(requests(run)[1])
    again = done(rows, ask=Scripted(refusal, refusal))
    assert again.outcome == FAILED_RUN and "no pictures to leave out" in again.reason


def test_pictures_that_left_a_request_stay_in_rows_that_are_kept() -> None:
    rows = (*rounds(*[100] * 5), user(text_block("Look."), IMAGE), *rounds(100, 100, 100))
    bytes_, tokens = Reply(TOO_LONG, error="413 request_too_large"), Reply(TOO_LONG, error="prompt is too long")
    run = done(rows, "full", profile="observed-2.1.332", trigger="auto", ask=Scripted(bytes_, tokens))
    assert IMAGE in [b for row in sent_rows(run) for b in row.blocks]


def test_pins_stay_and_what_cannot_stay_is_named() -> None:
    run = done(ROWS, pins=(ROWS[6].uuid,))
    assert run.work.kept == ROWS[5:], "its call comes with it"
    assert [c.uuids for c in changes(run) if c.kind == "keep"] == [tuple(r.uuid for r in ROWS[5:])]
    for variant, pin in (("up-to", ROWS[0]), ("from", ROWS[-1]), ("reactive", ROWS[0])):
        lost = done(ROWS, variant, pivot=ROWS[5].uuid, pins=(pin.uuid,))
        assert lost.outcome == FAILED_RUN and f"{pin.uuid} would not stay with the variant {variant}" in lost.reason
    for variant in ("full", "fold"):
        assert "nobody is not in the array" in done(ROWS, variant, pins=("nobody",)).reason


def test_the_summary_is_asked_for_once_and_the_run_waits_for_it() -> None:
    run = begun(ROWS)
    asked: list[Request] = []

    def ask(request: Request) -> Reply:
        asked.append(request)
        return Reply(text=SUMMARY)

    assert forward(run, ask).outcome == COMPACTED
    assert [r.kind for r in asked] == ["summary"]
