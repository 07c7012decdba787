"""A Messages API on this machine that answers as it is told, step by step: for everything that can go wrong with the real one."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"input_tokens": 900, "cache_creation_input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 1}


@dataclass(frozen=True)
class Step:
    """One answer.

    events   of a stream; each (name, data)
    ends     "whole" | "short" (the connection closes in order, the reply is not complete) | "broken" (it is torn)
    silent   nothing is sent before the test lets go
    """

    status: int = 200
    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    ends: str = "whole"
    silent: bool = False


def reply(
    *pieces: str,
    stop: str | None = "end_turn",
    tool: str | None = None,
    output: int = 77,
    ends: str = "whole",
    then: Step | None = None,
) -> Step:
    """A streamed reply of these pieces of text, then perhaps a call of a tool, or the events of another step."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": USAGE}  # fmt: skip
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": message})]
    if pieces:
        events.append(("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}))
        events += [("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": p}}) for p in pieces]
        events.append(("content_block_stop", {"index": 0}))
    if tool is not None:
        at = 1 if pieces else 0
        block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {}}
        events.append(("content_block_start", {"index": at, "content_block": block}))
        events.append(("content_block_delta", {"index": at, "delta": {"type": "input_json_delta", "partial_json": "{}"}}))
        events.append(("content_block_stop", {"index": at}))
    if then is not None:
        return Step(events=(*events, *then.events))
    if ends == "whole":
        events.append(
            ("message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": output}})
        )
        events.append(("message_stop", {}))
    return Step(events=tuple(events), ends=ends)


def error(kind: str, said: str) -> Step:
    """An error that comes within a stream."""
    return Step(events=(("error", {"error": {"type": kind, "message": said}}),))


def refused(status: int, kind: str, said: str, **headers: str) -> Step:
    """An error as the answer."""
    body = json.dumps({"type": "error", "error": {"type": kind, "message": said}}).encode()
    return Step(status, body=body, headers=tuple((k.replace("_", "-"), v) for k, v in headers.items()))


def page(status: int, html: str) -> Step:
    """What a proxy answers."""
    return Step(status, body=html.encode(), headers=(("content-type", "text/html"),))


SILENT = Step(silent=True)


@dataclass
class FakeApi:
    """steps: what to answer, one a request; seen: the requests so far; let_go: ends every silence."""

    steps: list[Step] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    arrived: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)

    def will(self, *steps: Step) -> None:
        self.steps += steps


@contextmanager
def serving() -> Iterator[FakeApi]:
    fake = FakeApi()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"]))
            fake.seen.append({"path": self.path, "headers": dict(self.headers), "body": json.loads(sent)})
            fake.arrived.set()
            step = fake.steps.pop(0)
            if step.silent:
                fake.let_go.wait(30)
                self.close_connection = True
            elif step.events:
                self.stream(step)
            else:
                self.answer(step)

        def answer(self, step: Step) -> None:
            self.send_response(step.status)
            for name, value in {"content-type": "application/json", **dict(step.headers)}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(step.body)))
            self.end_headers()
            self.wfile.write(step.body)

        def stream(self, step: Step) -> None:
            self.send_response(step.status)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for name, data in step.events:
                text = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
                self.wfile.flush()
            if step.ends == "broken":
                self.close_connection = True
                return
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        fake.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield fake
        finally:
            fake.let_go.set()
            http.shutdown()
            thread.join()
