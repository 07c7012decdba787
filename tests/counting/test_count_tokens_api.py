"""count_tokens against a server on this machine: what is sent, and what each outcome tells the user."""

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from workbench.counting import api, faults
from workbench.counting.estimators import estimator
from workbench.errors import CountingError

MODEL = "claude-test"
ASK = [{"role": "user", "content": "hello"}]


@dataclass
class FakeApi:
    """Answers every request alike and keeps what it was sent."""

    status: int = 200
    body: bytes = b'{"input_tokens": 11}'
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    seen: list[dict[str, Any]] = field(default_factory=list)

    def fail(self, status: int, kind: str, message: str, **headers: str) -> None:
        self.status = status
        self.body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
        self.headers.update({name.replace("_", "-"): value for name, value in headers.items()})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    fake = FakeApi()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"]))
            fake.seen.append({"path": self.path, "key": self._key(), "body": json.loads(sent)})
            self.send_response(fake.status)
            for name, value in {**fake.headers, "content-length": str(len(fake.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(fake.body)

        def _key(self) -> str | None:
            """The SDK moved the key from the one header to the other within its version 2."""
            return self.headers["x-api-key"] or self.headers["authorization"].removeprefix("Bearer ")

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        serving = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{http.server_port}")
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield fake
        http.shutdown()
        serving.join()


def test_the_count_of_a_whole_request(server: FakeApi) -> None:
    tools = [{"name": "Read", "input_schema": {"type": "object"}}]
    assert api.count_request(ASK, model=MODEL, system="Be brief.", tools=tools) == 11
    (sent,) = server.seen
    assert sent["path"] == "/v1/messages/count_tokens"
    assert sent["key"] == "key-of-the-test"
    assert sent["body"] == {"model": MODEL, "messages": ASK, "system": "Be brief.", "tools": tools}


def test_each_text_is_a_request_and_a_blank_one_is_none(server: FakeApi) -> None:
    assert estimator("api", model=MODEL)(["one", "", " \n", "half \ud83d"]) == [11, 0, 0, 11]
    assert [sent["body"]["messages"][0]["content"] for sent in server.seen] == ["one", "half \ufffd"]


def test_without_a_key_nothing_is_sent(server: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    with pytest.raises(faults.NoKey, match="set ANTHROPIC_API_KEY"):
        api.count_request(ASK, model=MODEL)
    assert server.seen == []


@pytest.mark.parametrize(
    ("status", "kind", "message", "fault", "words"),
    [
        (401, "authentication_error", "invalid x-api-key", faults.KeyRefused, "check ANTHROPIC_API_KEY"),
        (403, "permission_error", "not for you", faults.KeyRefused, "another key or model"),
        (400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum", faults.TooLong, "208310 tokens"),
        (400, "invalid_request_error", "messages: roles must alternate", faults.RequestRefused, "roles must alternate"),
        (404, "not_found_error", "model: claude-test", faults.RequestRefused, "HTTP 404"),
        (413, "request_too_large", "Request exceeds the maximum size", faults.TooLong, "fewer messages"),
        (500, "api_error", "Internal server error", faults.ServiceFailed, "HTTP 500"),
        (529, "overloaded_error", "Overloaded", faults.Overloaded, "in a moment"),
    ],
)
def test_each_refusal_has_a_name_and_a_remedy_and_is_not_retried(
    server: FakeApi, status: int, kind: str, message: str, fault: type[faults.ApiFault], words: str
) -> None:
    server.fail(status, kind, message)
    with pytest.raises(fault, match=words) as caught:
        api.count_request(ASK, model=MODEL)
    assert message in str(caught.value)
    assert isinstance(caught.value, CountingError)
    assert len(server.seen) == 1


def test_a_rate_limit_repeats_how_long_to_wait(server: FakeApi) -> None:
    server.fail(429, "rate_limit_error", "slow down", retry_after="17")
    with pytest.raises(faults.RateLimited, match=r"Retry after 17 s\."):
        api.count_request(ASK, model=MODEL)


@pytest.mark.parametrize("body", [b"<p>a proxy's greeting", b"[]", b"{}", b'{"input_tokens": "many"}'])
def test_an_answer_that_is_no_count_is_a_failure(server: FakeApi, body: bytes) -> None:
    server.body = body
    with pytest.raises(faults.ServiceFailed, match="ANTHROPIC_BASE_URL"):
        api.count_request(ASK, model=MODEL)


def test_an_error_page_without_json_is_named_by_its_status(server: FakeApi) -> None:
    server.status, server.body, server.headers["content-type"] = 413, b"<html>big</html>", "text/html"
    with pytest.raises(faults.TooLong):
        api.count_request(ASK, model=MODEL)


def test_nobody_at_the_address(server: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(faults.Unreachable, match="ANTHROPIC_BASE_URL"):
        api.count_request(ASK, model=MODEL)


def test_no_answer_in_time(server: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(faults.Unreachable, match="no answer within"):
            api.count_request(ASK, model=MODEL)
