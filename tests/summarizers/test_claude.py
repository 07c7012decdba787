"""Claude as the summarizer, the real SDK against a server on this machine: every outcome has a name and a sentence."""

import re

import pytest

from tests.memory.making import replied, said
from tests.summarizers import fake_api
from tests.summarizers.fake_api import SILENT, FakeApi, error, page, refused, reply
from workbench.compaction.cleaning import clean
from workbench.compaction.profiles import resolve
from workbench.compaction.prompts import instruction
from workbench.compaction.request import CANCELLED, EMPTY, ERROR, OK, SUMMARY, TOO_LONG, TOOL_CALL, TRUNCATED, Request, Usage
from workbench.compaction.too_long import read_error
from workbench.conversation.array import assemble
from workbench.conversation.row import Row
from workbench.export.messages import as_json
from workbench.summarizers.claude import ClaudeSummarizer
from workbench.summarizers.outcomes import ONLY_ANALYSIS, kind_of
from workbench.summarizers.retrying import RetryPolicy

BAD = "invalid_request_error"
MODEL = "claude-opus-4-5-20251101"
GOOD = ("<analysis>\nseen\n</analysis>\n<summary>\n", "1. Primary Request", " and Intent:\n   all of it\n</summary>")
ROWS = (
    said("u1", "Make the button red. \U0001f534"),
    replied("a1", {"type": "thinking", "thinking": "which button?", "signature": "s"}, "Which one?"),
    said("u2", "The one below."),
    replied("a2", {"type": "thinking", "thinking": "alone", "signature": "s"}),
)


def request_for(*rows: Row, **fields) -> Request:
    prompt = instruction("full")
    messages = assemble((*rows, said("ask", prompt)))
    return Request(SUMMARY, "summary:0", "the summary", messages, prompt, MODEL, **{"max_tokens": 20_000, **fields})


class Asking:
    """A summarizer and what it was seen to do: pieces of text, retries told, seconds waited without waiting."""

    def __init__(self, **fields) -> None:
        self.texts: list[str] = []
        self.told: list = []
        self.waited: list[float] = []
        self.claude = ClaudeSummarizer(MODEL, as_json, pause=self.pause, **fields)

    def pause(self, seconds, cancelled) -> bool:
        self.waited.append(seconds)
        return not cancelled()

    def ask(self, request=None, cancelled=lambda: False):
        return self.claude.ask(request or request_for(*ROWS), self.texts.append, cancelled, self.told.append)


@pytest.fixture
def asking(api: FakeApi) -> Asking:
    return Asking()


def test_a_good_reply_comes_in_pieces_and_with_its_usage(api, asking):
    api.will(reply(*GOOD))
    got = asking.ask()
    assert got.outcome == OK
    assert got.text == "".join(GOOD) == "".join(asking.texts)
    assert got.usage == Usage(prompt=1_000, output=77)
    assert got.stop_reason == "end_turn"
    assert got.source == f"claude, {MODEL}"
    assert got.duration_ms is not None
    assert clean(got.text, resolve(), stop_reason=got.stop_reason).text.startswith("Summary:\n1. Primary Request")


def test_what_is_sent(api, asking):
    api.will(reply(*GOOD))
    asking.ask()
    (seen,) = api.seen
    body = seen["body"]
    assert seen["path"] == "/v1/messages"
    assert (body["model"], body["max_tokens"], body["stream"]) == (MODEL, 20_000, True)
    assert [m["role"] for m in body["messages"]] == ["user", "assistant", "user", "user"]
    assert body["messages"][0]["content"][0]["text"] == "Make the button red. \U0001f534"
    assert body["messages"][-1]["content"][-1]["text"] == instruction("full")
    assert "temperature" not in body
    assert "tools" not in body
    assert "thinking" not in body
    assert not [b for m in body["messages"] for b in m["content"] if b["type"] == "thinking"]


def test_with_the_session_s_own_prefix_everything_stays_and_the_cache_may_hit(api):
    tools = ({"name": "Read", "input_schema": {"type": "object"}},)
    api.will(reply(*GOOD), reply(*GOOD))
    asking = Asking(system="You are at work.", tools=tools)
    asking.ask()
    asking.ask(request_for(*ROWS, shared_prefix=False))
    shared, plain = (seen["body"] for seen in api.seen)
    assert shared["system"] == "You are at work."
    assert shared["tools"] == list(tools)
    assert [b["type"] for b in shared["messages"][1]["content"]] == ["thinking", "text"]
    assert shared["messages"][-1]["content"][-1]["cache_control"] == {"type": "ephemeral"}
    assert "system" not in plain
    assert "tools" not in plain
    assert not [b for m in plain["messages"] for b in m["content"] if b["type"] == "thinking"]


def test_a_large_window_is_asked_for_as_the_api_knows_it(api):
    api.will(reply(*GOOD))
    ClaudeSummarizer(f"{MODEL}[1m]", as_json).ask(request_for(*ROWS))
    (seen,) = api.seen
    assert seen["body"]["model"] == MODEL
    assert "context-1m" in seen["headers"]["anthropic-beta"]


@pytest.mark.parametrize(
    ("step", "outcome", "words"),
    [
        (reply(*GOOD, tool="Read", stop="tool_use"), TOOL_CALL, "called a tool (Read)"),
        (reply(tool="Bash", stop="tool_use"), TOOL_CALL, "called a tool (Bash)"),
        (reply(stop="end_turn"), EMPTY, "answered with nothing"),
        (reply("  \n"), EMPTY, "answered with nothing"),
        (reply("<summary>\nhalf", stop="max_tokens"), TRUNCATED, "cut off at max_tokens"),
        (reply("half", stop="model_context_window_exceeded"), TOO_LONG, "window was full"),
        (reply("I'd rather not.", stop="refusal"), ERROR, "declined"),
        (refused(400, BAD, "prompt is too long: 202609 tokens > 200000 maximum"), TOO_LONG, "202609 tokens > 200000"),
        (refused(400, BAD, "Prompt is too long"), TOO_LONG, "Prompt is too long"),
        (refused(413, "request_too_large", "Request exceeds the maximum size"), TOO_LONG, "too many bytes"),
        (page(413, "<html>Payload</html>"), TOO_LONG, "too many bytes"),
        (refused(400, BAD, "messages: roles must alternate"), ERROR, "HTTP 400"),
        (refused(401, "authentication_error", "invalid x-api-key"), ERROR, "check ANTHROPIC_API_KEY"),
        (refused(403, "permission_error", "not yours"), ERROR, "another key or model"),
        (refused(404, "not_found_error", "model: claude-x"), ERROR, "--model"),
        (page(418, "<p>teapot"), ERROR, "HTTP 418"),
        (reply("half", then=error(BAD, "no such thing")), ERROR, "within the reply"),
    ],
)  # fmt: skip
def test_an_outcome_that_another_try_would_not_change(api, asking, step, outcome, words):
    api.will(step)
    got = asking.ask()
    assert (got.outcome, len(api.seen), asking.waited) == (outcome, 1, [])
    assert words in got.error


@pytest.mark.parametrize(
    ("said", "gap"),
    [
        ("prompt is too long: 202609 tokens > 200000 maximum", 2_609),
        ("input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length", 7_951),
        ("Prompt is too long", None),
        ('{"error":{"message":"prompt is too long: 210000 tokens \\u003e 200000 maximum"}}', 10_000),
    ],
)
def test_the_retry_of_the_run_can_read_what_is_missing(api, asking, said, gap):
    api.will(refused(400, BAD, said))
    got = asking.ask()
    found = read_error(got.error)
    assert got.outcome == TOO_LONG
    assert found is not None
    assert found.gap == gap


def test_too_many_bytes_are_told_from_too_many_tokens(api, asking):
    api.will(page(413, "<html>too big</html>"))
    found = read_error(asking.ask().error)
    assert found is not None
    assert found.form == "size"


def test_an_analysis_alone_is_counted_apart_and_cleans_to_nothing(api, asking):
    api.will(reply("<analysis>\nonly thoughts\n</analysis>"))
    got = asking.ask()
    assert kind_of(got) == ONLY_ANALYSIS
    assert clean(got.text, resolve()).outcome == EMPTY


PASSING = [
    (refused(429, "rate_limit_error", "slow down"), "Too many requests"),
    (refused(500, "api_error", "oops"), "The API failed"),
    (refused(529, "overloaded_error", "Overloaded"), "overloaded"),
    (page(503, "<p>later"), "The API failed"),
    (reply("half", then=error("overloaded_error", "Overloaded")), "overloaded"),
    (reply("half", ends="broken"), "broke off"),
    (reply("half", ends="short"), "broke off"),
]


@pytest.mark.parametrize(
    ("step", "words"), PASSING, ids=lambda value: None if isinstance(value, str) else f"{value.status} {value.ends}"
)
def test_what_passes_is_tried_again_and_told_before(api, asking, step, words):
    api.will(step, reply(*GOOD))
    got = asking.ask()
    assert got.outcome == OK
    assert got.text == "".join(GOOD)
    (told,) = asking.told
    assert (told.number, told.of, told.seconds) == (1, 4, 1.0)
    assert words in told.reason
    assert re.search(r"Trying again in 1 s \(1 of 4\)\.$", told.sentence)


def test_the_server_s_wish_is_honoured(api, asking):
    api.will(*(refused(429, "rate_limit_error", "slow", retry_after=seconds) for seconds in ("0", "17")))
    api.will(refused(529, "overloaded_error", "busy", retry_after_ms="1500"), reply(*GOOD))
    assert asking.ask().outcome == OK
    assert asking.waited == [0, 17, 1.5]


def test_a_wish_for_too_long_a_wait_ends_it(api, asking):
    api.will(refused(429, "rate_limit_error", "come back tomorrow", retry_after="86400"))
    got = asking.ask()
    assert got.outcome == ERROR
    assert "It asks to wait 86400 s" in got.error
    assert asking.waited == []


def test_the_waits_grow_and_end(api, asking):
    api.will(*[refused(529, "overloaded_error", "busy")] * 5)
    got = asking.ask()
    assert got.outcome == ERROR
    assert asking.waited == [1, 2, 4, 8]
    assert got.error.endswith("Given up after 4 retries.")
    assert len(api.seen) == 5


def test_the_sdk_itself_retries_nothing(api):
    api.will(refused(529, "overloaded_error", "busy"))
    asking = Asking(policy=RetryPolicy(retries=0))
    assert asking.ask().outcome == ERROR
    assert len(api.seen) == 1


def test_nobody_at_the_address(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    asking = Asking(base_url="http://127.0.0.1:9", policy=RetryPolicy(retries=1))
    got = asking.ask()
    assert got.outcome == ERROR
    assert "check the network and ANTHROPIC_BASE_URL" in got.error
    assert asking.waited == [1]


def test_without_a_key_nothing_is_sent(api, asking, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    got = asking.ask()
    assert got.outcome == ERROR
    assert "set ANTHROPIC_API_KEY" in got.error
    assert api.seen == []


def test_a_token_will_do_for_a_key(api, asking, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-the-test")
    api.will(reply(*GOOD))
    assert asking.ask().outcome == OK
    assert {k.lower(): v for k, v in api.seen[0]["headers"].items()}["authorization"] == "Bearer token-of-the-test"


def test_a_cancel_does_not_wait_for_the_server(api, asking):
    api.will(SILENT)
    got = asking.ask(cancelled=api.arrived.is_set)
    assert got.outcome == CANCELLED
    assert not api.let_go.is_set()


def test_a_cancel_within_the_reply_ends_it(api, asking):
    api.will(reply(*GOOD))
    got = asking.ask(cancelled=lambda: bool(asking.texts))
    assert got.outcome == CANCELLED
    assert asking.texts == [GOOD[0]]


def test_a_cancel_ends_a_wait(api, asking):
    api.will(refused(529, "overloaded_error", "busy"))
    got = asking.ask(cancelled=lambda: bool(asking.told))
    assert got.outcome == CANCELLED
    assert len(api.seen) == 1


def test_an_answer_that_is_no_stream_is_a_named_failure(api, asking):
    api.will(page(200, "<p>a proxy's greeting"))
    got = Asking(policy=RetryPolicy(retries=0)).ask()
    assert got.outcome == ERROR
    assert got.error


def test_it_is_a_summarizer_like_any_other(api, asking):
    api.will(reply(*GOOD))
    assert asking.claude(request_for(*ROWS)).text == "".join(GOOD)


def test_every_prompt_token_counts_wherever_it_came_from():
    assert sum(v for k, v in fake_api.USAGE.items() if k != "output_tokens") == 1_000
