"""What can go wrong while counting; each text is shown to the user as it is and says what to do next.

CountingError             (workbench.errors)
├── EngineUnavailable     no tokenizer can be loaded in this installation
├── CounterStopped        the child process ended while it was asked
├── CounterClosed         asked after `close()`
└── ApiFault              count_tokens gave no number
    ├── NoKey             no key in the environment
    ├── KeyRefused        401, 403
    ├── TooLong           400 "prompt is too long", 413
    ├── RequestRefused    any other 4xx
    ├── RateLimited       429
    ├── Overloaded        529
    ├── ServiceFailed     any other 5xx, or an answer that is no count
    └── Unreachable       no connection, no answer in time
"""

from workbench.errors import CountingError


class EngineUnavailable(CountingError):
    """Neither tiktoken nor its stand-in could be loaded, or the vocabulary is missing or damaged."""


class CounterStopped(CountingError):
    """The child process ended without answering."""


class CounterClosed(CountingError):
    """The counter was closed, and not every count was in the cache."""


class ApiFault(CountingError):
    """The count_tokens endpoint was asked, or would have been, and gave no number."""


class NoKey(ApiFault):
    """Neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set; nothing was sent."""


class KeyRefused(ApiFault):
    """HTTP 401 or 403."""


class TooLong(ApiFault):
    """HTTP 413, or 400 because the prompt is longer than the model's window."""


class RequestRefused(ApiFault):
    """Any other HTTP 4xx: the request itself is not acceptable."""


class RateLimited(ApiFault):
    """HTTP 429; the text repeats the waiting time if the answer named one."""


class Overloaded(ApiFault):
    """HTTP 529."""


class ServiceFailed(ApiFault):
    """Any other HTTP 5xx, or an answer without a count in it."""


class Unreachable(ApiFault):
    """No connection, or no answer in time."""
