"""Claude as the summarizer: the Messages API, streaming, with retries that are seen and a cancel that works at once.

At the edge. The key comes from ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, the address from ANTHROPIC_BASE_URL. Asking
sends the session away and costs money, so it is asked only when the user has seen the cost. No outcome is an exception:
each is a reply with a name and a sentence (spec 4, section 1; spec 5, "Summarizers").

The SDK takes over a second to import and is imported by the first question, never before.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from ..compaction.models import MODELS, Model, has_large_window
from ..compaction.request import CANCELLED, ERROR, Reply, Request
from ..conversation.row import Message
from .costs import Cost, estimate_cost
from .hearing import Hearing
from .refusals import Attempt, of_connection, of_status
from .retrying import Cancelled, Pause, Retrying, RetryPolicy, never, pause
from .wire import LARGE_WINDOW, body_of

if TYPE_CHECKING:
    import anthropic

Encode: TypeAlias = Callable[[Message], Mapping[str, Any]]

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
NO_KEY = "No API key: set ANTHROPIC_API_KEY and start again, or choose another summarizer."
LOOK_SECONDS = 0.1  # between two looks at whether the user cancelled
SILENCE_SECONDS = 300.0  # without a byte of the stream: the connection is dead
CONNECT_SECONDS = 20.0


def _ignore(_: object) -> None:
    """For callers that do not listen."""


@dataclass(frozen=True, slots=True)
class ClaudeSummarizer:
    """A model that can be asked, more than once.

    encode         a message as the API takes it (`export.messages.as_json`)
    system, tools  what stands before the messages in the session's own calls, where it is known: with it a request that
                   shares the prefix hits the session's prompt cache, and its thinking blocks stay
    base_url       None: from the environment
    pause          waits before a retry
    """

    model: str
    encode: Encode
    system: str | Sequence[Mapping[str, Any]] = ""
    tools: tuple[Mapping[str, Any], ...] = ()
    base_url: str | None = None
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    pause: Pause = pause
    table: tuple[Model, ...] = MODELS

    def __call__(self, request: Request) -> Reply:
        return self.ask(request)

    def cost(self, request: Request) -> Cost:
        """What asking would cost; sends nothing."""
        return estimate_cost(request, self.model, self.table)

    def ask(
        self,
        request: Request,
        on_text: Callable[[str], None] = _ignore,
        cancelled: Cancelled = never,
        on_retry: Callable[[Retrying], None] = _ignore,
    ) -> Reply:
        """Asks until there is a reply, the retries are used up, or the user cancels; blocks meanwhile.

        on_text   gets each piece of the text as it comes; a retry begins the text anew
        on_retry  is told before each wait
        """
        if not any(os.environ.get(name) for name in KEYS):
            return Reply(ERROR, error=NO_KEY, source=self._source)
        body = body_of(request, self.model, self.encode, self.system, self.tools)
        began = monotonic()
        tried = 0
        while True:
            attempt = self._attempt(body, on_text, cancelled)
            wait = self.policy.wait(tried, attempt.asked) if attempt.again else None
            if wait is None:
                return self._last(attempt, tried, began)
            tried += 1
            on_retry(Retrying(tried, self.policy.retries, wait, attempt.again))
            if not self.pause(wait, cancelled):
                return self._last(_CANCELLED, tried, began)

    @property
    def _source(self) -> str:
        return f"claude, {self.model}"

    def _last(self, attempt: Attempt, tried: int, began: float) -> Reply:
        reply = attempt.reply
        why = reply.error
        if attempt.again and attempt.asked is not None and attempt.asked > self.policy.longest_asked:
            why = f"{why} It asks to wait {attempt.asked:g} s; ask again then."
        elif attempt.again and tried:
            why = f"{why} Given up after {tried} retries."
        return replace(reply, error=why, source=self._source, duration_ms=int((monotonic() - began) * 1000))

    def _attempt(self, body: Mapping[str, Any], on_text: Callable[[str], None], cancelled: Cancelled) -> Attempt:
        """One request. It runs in a thread of its own, so that a cancel need not wait for the next byte."""
        heard: queue.SimpleQueue[str | Attempt] = queue.SimpleQueue()
        stop = threading.Event()
        thread = threading.Thread(target=self._stream, args=(body, heard.put, stop), name="claude", daemon=True)
        thread.start()
        while not cancelled():
            alive = thread.is_alive()
            try:
                piece = heard.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                if not alive:
                    return Attempt(Reply(ERROR, error="The request ended without an answer; ask again."))
                continue
            if isinstance(piece, Attempt):
                return piece
            on_text(piece)
        stop.set()
        return _CANCELLED

    def _stream(self, body: Mapping[str, Any], tell: Callable[[str | Attempt], None], stop: threading.Event) -> None:
        """Streams one reply: its pieces of text, then how it ended."""
        import anthropic
        import httpx2  # what the SDK is built on: it leaves the errors of a stream that breaks as they are

        hearing = Hearing()
        try:
            with self._client(anthropic) as client, client.messages.stream(**body, extra_headers=_headers(self.model)) as stream:
                for event in stream:
                    if stop.is_set():
                        return
                    text = hearing.take(event)
                    if text:
                        tell(text)
            tell(hearing.end())
        except anthropic.APIStatusError as error:
            header = error.response.headers.get
            tell(of_status(error.status_code, str(error), error.body, (header("retry-after-ms"), header("retry-after")), hearing))
        except (anthropic.APIConnectionError, httpx2.HTTPError, httpx2.StreamError) as error:
            tell(of_connection(hearing, slow=isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException)))
        except (anthropic.AnthropicError, ValueError, TypeError) as error:
            tell(
                Attempt(Reply(ERROR, hearing.text, error=f"The API's answer cannot be read ({error}); check ANTHROPIC_BASE_URL."))
            )

    def _client(self, sdk: Any) -> anthropic.Anthropic:
        timeout = sdk.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        client: anthropic.Anthropic = sdk.Anthropic(max_retries=0, timeout=timeout, base_url=self.base_url)
        return client


_CANCELLED = Attempt(Reply(CANCELLED, error="Cancelled; what was answered so far is dropped."))


def _headers(model: str) -> dict[str, str]:
    return {"anthropic-beta": LARGE_WINDOW} if has_large_window(model) else {}
