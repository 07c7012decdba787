"""Whatever goes wrong with whoever writes the summary ends in a named outcome, and the breaker counts what counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compaction.running import SAMPLES, begun, check, done, run_at, stage
from tests.compaction.telling import text as words
from tests.compaction.telling import turn, user
from tests.summarizers.fake_api import FakeApi, Step, error, refused, reply
from workbench.cli import main
from workbench.compaction.breaker import Tracking
from workbench.compaction.event import event_of, tracking_after
from workbench.compaction.profiles import ARTICLES, OBSERVED
from workbench.compaction.request import CANCELLED, Reply, Request
from workbench.compaction.run import COMPACTED, FAILED_RUN, SKIPPED_RUN, Run, forward
from workbench.export.messages import as_json
from workbench.storage import load
from workbench.summarizers.claude import ClaudeSummarizer

BAD = "invalid_request_error"
NUMBERS, NO_NUMBERS = "prompt is too long: 200100 tokens > 200000 maximum", "Prompt is too long"
GOOD = ("<analysis>\nseen\n</analysis>\n<summary>\n", "All of it.\n</summary>")
MODEL = "claude-opus-4-5-20251101"
ROWS = (user(words(50)), *(row for _ in range(13) for row in turn(100)))
PROFILES = (ARTICLES, OBSERVED)
WINDOW = "autoCompactWindow=200000"


def claude(cancelled: Callable[[], bool] = lambda: False) -> Callable[[Request], Reply]:
    """The real summarizer and SDK, which waits for nothing between its retries."""
    asked = ClaudeSummarizer(MODEL, as_json, pause=lambda _, stop: not stop())
    return lambda request: asked.ask(request, cancelled=cancelled)


def automatic(ask: Callable[[Request], Reply], profile: str = ARTICLES, tracking: Tracking | None = None) -> Run:
    run = done(ROWS, "auto", WINDOW, profile=profile, tokens=170_000, tracking=tracking, ask=ask)
    check(run)
    return run


def outcomes(run: Run) -> list[str]:
    return list(event_of(run).model)


def tool_call() -> Step:
    return reply(tool="Read", stop="tool_use")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("said", [NUMBERS, NO_NUMBERS])
@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_a_request_that_is_too_long_is_made_shorter_and_in_the_end_given_up(
    api: FakeApi, profile: str, said: str, times: int
) -> None:
    api.will(*[refused(400, BAD, said)] * times, reply(*GOOD))
    run = automatic(claude(), profile)
    most = 3  # retries of the articles; and as often 12 rounds can be halved
    gave_up = times > most
    assert run.outcome == (FAILED_RUN if gave_up else COMPACTED)
    assert outcomes(run) == ["too long"] * min(times, most + 1) + ([] if gave_up else ["ok"])
    sizes = [len(json.dumps(request["body"])) for request in api.seen]
    assert sizes == sorted(sizes, reverse=True) and len({*sizes}) == len(sizes), "each is shorter than the one before"
    if gave_up:
        assert ("100 tokens are missing" if said == NUMBERS else "how many tokens are missing is unknown") in run.reason
        assert tracking_after(run).consecutive_failures == 1
    else:
        assert len(run.work.kept) == (0 if profile == ARTICLES else 2 * {1: 7, 2: 10, 3: 12}[times])


@pytest.mark.parametrize("profile", PROFILES)
def test_a_tool_call_is_asked_again_without_tools_and_twice_is_a_failure(api: FakeApi, profile: str) -> None:
    api.will(tool_call(), reply(*GOOD))
    saved = automatic(claude(), profile)
    assert saved.outcome == COMPACTED and outcomes(saved) == ["tool call", "ok"]
    assert "tools" not in api.seen[1]["body"]
    api.will(tool_call(), tool_call())
    lost = automatic(claude(), profile)
    assert lost.outcome == FAILED_RUN and lost.reason.startswith("tool call: ") and "Read" in lost.reason
    assert outcomes(lost) == ["tool call", "tool call"]


ENDS = [
    ("empty twice", (reply(), reply()), "empty: ", ["empty", "empty"]),
    ("max tokens", (reply("<summary>\nhalf", stop="max_tokens"),), "truncated: ", ["truncated"]),
    ("a 400", (refused(400, BAD, "temperature: no longer accepted"),), "error: ", ["error"]),
    ("429 to the end", (refused(429, "rate_limit_error", "slow down"),) * 5, "error: ", ["error"]),
    ("529 to the end", (refused(529, "overloaded_error", "Overloaded"),) * 5, "error: ", ["error"]),
    ("broken to the end", (reply("half", ends="broken"),) * 5, "error: ", ["error"]),
    ("an error in the stream", (reply("half", then=error(BAD, "no such thing")),), "error: ", ["error"]),
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("steps", "start", "model"), [e[1:] for e in ENDS], ids=[e[0] for e in ENDS])
def test_each_end_has_a_name_and_counts_as_a_failure(
    api: FakeApi, profile: str, steps: tuple[Step, ...], start: str, model: list[str]
) -> None:
    api.will(*steps)
    run = automatic(claude(), profile)
    assert run.outcome == FAILED_RUN
    assert run.reason.startswith(start) and len(run.reason) > len(start) + 10
    assert outcomes(run) == model
    assert run.work.boundary is None and run.work.sent == ROWS, "nothing was changed"
    assert tracking_after(run).consecutive_failures == 1
    assert api.steps == []


def test_only_an_analysis_is_empty_or_in_today_s_agent_taken_as_it_is(api: FakeApi) -> None:
    api.will(reply("<analysis>\nonly thoughts\n</analysis>"))
    run = automatic(claude())
    assert run.outcome == FAILED_RUN and run.reason.startswith("empty: ") and outcomes(run) == ["empty"]
    api.will(reply("<analysis>\nonly thoughts\n</analysis>"))
    assert automatic(claude(), OBSERVED).work.summary == "<analysis>\nonly thoughts\n</analysis>"


@pytest.mark.parametrize(
    "step",
    [refused(429, "rate_limit_error", "slow down"), refused(529, "overloaded_error", "Overloaded"), reply("half", ends="broken")],
    ids=["429", "529", "broken"],
)
def test_what_passes_is_no_failure_of_the_run(api: FakeApi, step: Step) -> None:
    api.will(step, step, reply(*GOOD))
    run = automatic(claude())
    assert run.outcome == COMPACTED and outcomes(run) == ["ok"]
    assert stage(run, "clean").work.summary == "Summary:\nAll of it."


def test_a_cancel_skips_the_attempt_and_is_no_failure(api: FakeApi) -> None:
    run = automatic(claude(cancelled=lambda: True), tracking=Tracking(consecutive_failures=2))
    assert run.outcome == SKIPPED_RUN and outcomes(run) == [CANCELLED]
    assert run.reason == "Cancelled by the user; nothing was changed, and it counts as no failure."
    assert tracking_after(run).consecutive_failures == 2


def test_the_breaker_opens_at_three_and_a_run_by_hand_still_goes_and_closes_it(api: FakeApi) -> None:
    state = Tracking()
    for number in range(3):
        api.will(reply(), reply())
        run = automatic(claude(), tracking=state)
        state = tracking_after(run)
        assert (run.outcome, state.consecutive_failures) == (FAILED_RUN, number + 1)
    stopped = automatic(claude(), tracking=state)
    assert stopped.outcome == SKIPPED_RUN and "one by hand resets it" in stopped.reason
    assert api.steps == [], "an open breaker asks nobody"
    api.will(reply(*GOOD))
    by_hand = forward(begun(ROWS, "full", tracking=state), claude())
    assert by_hand.outcome == COMPACTED and tracking_after(by_hand).consecutive_failures == 0


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("", "empty: "),
        (" \n", "empty: "),
        ("<summary></summary>", "empty: "),
        ("<analysis>only thoughts", "empty: "),
    ],
)
def test_a_file_without_a_summary_in_it_fails_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], profile: str, content: str, word: str
) -> None:
    file = tmp_path / "summary.md"
    file.write_text(content)
    command = ["compact", str(SAMPLES[0]), "--variant", "full", "--profile", profile, "--summarizer", f"file:{file}", "--json"]
    taken_as_it_is = profile == OBSERVED and content.startswith("<analysis>")
    assert main(command) == (0 if taken_as_it_is else 1)
    answer = json.loads(capsys.readouterr().out)
    assert answer["outcome"] == ("compacted" if taken_as_it_is else "failed")
    assert taken_as_it_is or answer["reason"].startswith(word)


def test_the_command_line_asks_claude_tells_the_cost_before_and_the_end_after(
    api: FakeApi, capsys: pytest.CaptureFixture[str]
) -> None:
    api.will(reply(*GOOD))
    assert main(["compact", str(SAMPLES[0]), "--variant", "full", "--summarizer", "claude", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["summary"] == "Summary:\nAll of it."
    before, after = printed.err.splitlines()
    assert "$" in before and after.startswith("workbench: ok")


def test_the_command_line_names_a_failure_of_claude(api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    api.will(refused(401, "authentication_error", "invalid x-api-key"))
    assert main(["compact", str(SAMPLES[0]), "--variant", "full", "--summarizer", "claude"]) == 1
    printed = capsys.readouterr()
    assert "failed. error: " in printed.out and "ANTHROPIC_API_KEY" in printed.out


def test_a_recorded_summary_that_is_not_there_fails_and_says_so() -> None:
    session = load(str(SAMPLES[0]))
    run = run_at(session, "full", summarizer="recorded")
    assert run.outcome == FAILED_RUN and "no boundary follows; choose another summarizer" in run.reason
    check(run)
