"""Today's agent as it was observed: when it fires, and all that it does otherwise (spec 6, sections 1 and 2)."""

from __future__ import annotations

import pytest

from tests.compaction.running import begun, done, names, stage, well
from tests.compaction.telling import assistant, call, result, text, thinking, turn, user
from workbench.compaction.breaker import SUCCESS, Tracking, after, next_turn, refilled
from workbench.compaction.event import tracking_after
from workbench.compaction.profiles import OBSERVED, resolve
from workbench.compaction.request import EMPTY, ERROR, OK, TOO_LONG, TOOL_CALL, Reply, Request
from workbench.compaction.result import tokens_of
from workbench.compaction.run import COMPACTED, FAILED_RUN, SKIPPED_RUN, Run, forward
from workbench.compaction.working_set import SeenFile, WorkingSet
from workbench.conversation.block import text_block
from workbench.conversation.row import Row

BOUNDARY = Row(-1, 1, "b", "system:compact_boundary", None)
SUMMARY = user(text_block("What was before."), is_summary=True)
WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000"


def rounds(count: int, *, size: int = 100, head: int = 50) -> tuple[Row, ...]:
    return (user(text(head)), *(row for _ in range(count) for row in turn(size)))


ROWS = rounds(4)


def today(rows: tuple[Row, ...] = ROWS, variant: str = "auto", *flags: str, **given: object) -> Run:
    return done(rows, variant, *flags, profile=OBSERVED, **given)


def automatic(rows: tuple[Row, ...] = ROWS, *flags: str, tokens: int = 170_000, **given: object) -> Run:
    return today(rows, "auto", WINDOW, *flags, tokens=tokens, **given)


def too_long(numbers: str = "") -> Reply:
    return Reply(TOO_LONG, error=f"prompt is too long{numbers}")


class Scripted:
    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Reply:
        self.asked.append(request)
        return self.replies.pop(0) if self.replies else well(request)


# 1 confirmed to the token


@pytest.mark.parametrize(
    ("flags", "tokens", "fires"),
    [
        (("autoCompactWindow=200000",), 166_973, False),
        (("autoCompactWindow=200000",), 167_003, True),
        (("autoCompactWindow=200000",), 167_000, True),
        (("autoCompactWindow=100000",), 67_000, True),
        (("autoCompactWindow=100000",), 66_999, False),
        (("autoCompactWindow=200000", "autoCompactPercent=50"), 90_000, True),
        (("autoCompactWindow=200000", "autoCompactPercent=50"), 89_999, False),
        (("autoCompactWindow=200000", "maxOutputTokens=8192"), 178_808, True),
        (("autoCompactWindow=200000", "maxOutputTokens=8192"), 178_807, False),
        (("autoCompactWindow=200000",), 166_990, False),
        (("autoCompactWindow=200000",), 166_990 + 122, True),  # a new prompt's estimate is added before it is answered
    ],
)
def test_it_fires_at_the_same_tokens(flags: tuple[str, ...], tokens: int, fires: bool) -> None:
    assert today(ROWS, "auto", *flags, tokens=tokens).outcome == (COMPACTED if fires else SKIPPED_RUN)


def test_what_it_records_is_the_sum_that_fired() -> None:
    assert stage(automatic(tokens=168_139), "record").picture.pre_tokens == 168_139  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "replies",
    [
        [Reply(EMPTY), Reply(EMPTY)],
        [Reply(TOOL_CALL), Reply(TOOL_CALL)],
        [Reply(ERROR, error="400 invalid_request_error: temperature")],
    ],
)
def test_three_failures_in_a_row_open_the_breaker(replies: list[Reply]) -> None:
    state = Tracking()
    for _ in range(3):
        run = automatic(tracking=state, ask=Scripted(*replies))
        assert run.outcome == FAILED_RUN
        state = tracking_after(run)
    assert automatic(tracking=state).outcome == SKIPPED_RUN
    assert today(ROWS, "full", trigger="manual", tracking=state).outcome == COMPACTED


def test_the_thrash_stop_ends_it_with_a_message() -> None:
    state = after(Tracking(), SUCCESS, "t0")
    for number in range(3):
        state = refilled(next_turn(state), "one result of 165,000 tokens", resolve(OBSERVED))
        state = after(state, SUCCESS, f"t{number + 1}") if number < 2 else state
    assert "one result of 165,000 tokens" in automatic(tracking=state).reason


def test_up_to_six_requests_within_one_attempt() -> None:
    many = Scripted(*[too_long()] * 9)
    run = automatic(rounds(200, size=10), ask=many)
    assert run.outcome == FAILED_RUN
    assert len(many.asked) == 6
    assert "5 retries are the limit" in run.reason


# 2 different from the articles


def test_without_a_window_nothing_fires_before_the_api_s_limit() -> None:
    for flags in ((), ("autoCompactPercent=50",), ("CLAUDE_CODE_AUTO_COMPACT_WINDOW=abc",)):
        run = today(ROWS, "auto", *flags, tokens=199_999)
        assert run.outcome == SKIPPED_RUN
        assert "no window is configured" in run.reason


@pytest.mark.parametrize(
    ("window", "threshold"),
    [("500k", 467_000), ("1M", 967_000), ("5M", 967_000), ("50000", 67_000), ("100000", 67_000), ("300000", 267_000)],
)
def test_a_window_is_read_with_its_suffix_and_clamped(window: str, threshold: int) -> None:
    flags = ("window=1000000", f"autoCompactWindow={window}")
    assert today(ROWS, "auto", *flags, tokens=threshold).outcome == COMPACTED
    assert f"the threshold of {threshold:,}" in today(ROWS, "auto", *flags, tokens=threshold - 1).reason


def test_reactive_summarises_the_oldest_rounds_and_keeps_the_rest() -> None:
    rows = rounds(6, size=60, head=2_500)
    run = today(rows, "reactive", error="prompt is too long: 210000 tokens > 200000 maximum")
    assert run.work.kept == rows[5:]
    assert run.plan.trigger == "auto"
    again = today(run.work.rows, "reactive", error="prompt is too long")
    assert again.outcome == COMPACTED, "a second answer too long compacts again"
    assert tokens_of(again.work.rows) < tokens_of(run.work.rows)


@pytest.mark.parametrize("count", [3, 4, 13])
def test_the_last_round_stays_and_is_not_shown(count: int) -> None:
    rows, ask = rounds(count), Scripted()
    run = automatic(rows, ask=ask)
    assert run.work.kept == rows[-2:]
    assert run.work.rows[:2] == (run.work.boundary, run.work.summary_row) and run.work.rows[2:4] == rows[-2:]
    assert ask.asked[0].covers == rows[:-2]
    shown = {row.uuid for m in ask.asked[0].messages for row in m.rows}
    assert not shown & {row.uuid for row in rows[-2:]}


@pytest.mark.parametrize("count", [1, 2])
def test_with_two_rounds_or_one_behind_a_compaction_everything_is_summarised(count: int) -> None:
    rows, ask = (BOUNDARY, SUMMARY, *rounds(count)[1:]), Scripted()
    run = automatic(rows, ask=ask)
    assert run.outcome == COMPACTED and run.work.kept == ()
    assert ask.asked[0].covers == rows


def test_a_first_compaction_over_a_single_round_does_not_happen() -> None:
    run = automatic(rounds(1))
    assert run.outcome == SKIPPED_RUN and names(run)[-1] == "prepare"
    assert "at least 2 API rounds" in run.reason
    assert tracking_after(run).consecutive_failures == 0
    assert today(rounds(1), "full", trigger="manual").outcome == COMPACTED
    assert done(rounds(1), "auto", tokens=170_000).outcome == COMPACTED, "the articles know nothing of it"


def test_by_hand_the_last_message_stays() -> None:
    rows = (*ROWS, assistant(text(5), message="m"), assistant(text(5), message="m"))
    run = today(rows, "full", trigger="manual")
    assert run.work.kept == rows[-2:]


def test_max_tokens_of_the_request_is_32_000() -> None:
    ask = Scripted()
    automatic(ask=ask)
    assert ask.asked[0].max_tokens == 32_000


@pytest.mark.parametrize("numbers", ["", ": 202609 tokens > 200000 maximum"])
def test_a_shorter_prefix_is_summarised_and_more_is_kept(numbers: str) -> None:
    rows = rounds(13)
    for retries, left in ((1, 6), (2, 3), (3, 1)):
        ask = Scripted(*[too_long(numbers)] * retries)
        run = automatic(rows, ask=ask)
        assert run.outcome == COMPACTED
        assert run.work.kept == rows[1 + 2 * left :], f"{left} of 12 rounds are summarised"
        assert ask.asked[-1].covers == rows[: 1 + 2 * left]
        assert run.work.cut is not None and run.work.cut.used == 1 + 2 * left
        assert "too long" in run.work.cut.reason
    last = automatic(rows, ask=Scripted(*[too_long(numbers)] * 4))
    assert last.outcome == FAILED_RUN and "cannot be halved" in last.reason


def test_five_files_come_back_the_edited_one_first_and_a_large_one_by_name() -> None:
    files = [SeenFile(f"/p/{n}.py", "abcd" * (100 + n), "transcript", order=n + 2) for n in range(6)]
    large = SeenFile("/p/large.py", "abcd" * 5_001, "transcript", order=9)
    edited = SeenFile("/p/edited.py", "abcd" * 10, "transcript", modified=True, order=1, touched=1)
    run = automatic(working=WorkingSet(files=(*files, large, edited)))
    assert [(a.kind, a.name) for a in run.work.attachments] == [
        ("file", "/p/edited.py"),
        ("compact_file_reference", "/p/large.py"),
        ("file", "/p/5.py"),
        ("file", "/p/4.py"),
        ("file", "/p/3.py"),
    ]


def test_a_summary_without_tags_is_taken_as_it_is() -> None:
    plain = "<analysis>kept too</analysis> All is well."
    assert automatic(ask=Scripted(Reply(text=plain))).work.summary == plain
    assert done(ROWS, ask=Scripted(Reply(text=plain))).work.summary == "All is well."


def test_the_continuation_goes_on_without_questions_and_names_the_newer_tail() -> None:
    words = str(automatic().work.summary_row)
    assert "Ask nothing first" in words and "The newest messages were kept" in words
    by_hand = str(today(ROWS, "full", trigger="manual").work.summary_row)
    assert "Ask nothing first" in by_hand, "in new versions by hand too"
    assert "The newest messages were kept" not in str(automatic((BOUNDARY, SUMMARY, *rounds(1)[1:])).work.summary_row)


def test_instructions_stand_before_the_summary_where_an_automatic_one_keeps_rows() -> None:
    working = WorkingSet(instructions=(("/p/CLAUDE.md", "Use const."),), files=(SeenFile("/p/a.py", "x", "transcript", order=1),))
    run = automatic(working=working)
    kinds = [r.kind for r in run.work.rows]
    assert kinds[:3] == ["system:compact_boundary", "attachment:instructions", "user"] and kinds[-1] == "attachment:file"
    by_hand = [r.kind for r in today(ROWS, "full", trigger="manual", working=working).work.rows]
    assert by_hand[:2] == ["system:compact_boundary", "user"] and by_hand[-2:] == ["attachment:instructions", "attachment:file"]


def test_a_blocking_hook_skips_the_attempt_without_a_request_and_is_asked_again() -> None:
    state = Tracking(consecutive_failures=2)
    for _ in range(5):
        ask = Scripted()
        run = automatic(tracking=state, hooks={"pre-blocked": "exit code 2"}, ask=ask)
        assert run.outcome == SKIPPED_RUN and ask.asked == []
        state = tracking_after(run)
    assert state.consecutive_failures == 2


def test_an_open_turn_with_bound_thinking_is_summarised_rather_than_kept() -> None:
    rows = (*rounds(3), assistant(thinking(), call("toolu_o")), user(result("toolu_o")))
    run = automatic(rows, "window=200000", model="claude-opus-5-5-20261001")
    assert run.outcome == COMPACTED and run.work.kept == ()
    assert "Nothing stays verbatim" in stage(run, "prepare").reason
    assert forward(begun(rows, "auto", WINDOW, profile=OBSERVED, tokens=170_000), well).work.kept == rows[-2:]
    assert run.work.requests[0].outcome == OK
