"""From --estimator to whoever estimates: bytes/4, a tokenizer in a child process, the session's own growth, or the API.

Only what was asked for is loaded and started; the tokenizer's process ends with the command.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ..conversation.text import rough, utf8_length, without_surrogates
from ..conversation.tokens import ROUGH, Estimator, Measure, by_texts, shared_out
from ..evidence.calibration import calibration_of, model_of
from ..transcript.session import Session
from . import output

NAMES = ("rough", "tiktoken", "calibrated", "api")
REQUEST_BYTES = 200_000  # of text in one request to the API: some 50,000 tokens, under every window

EstimatorFor = Callable[[Session], Estimator]


@contextmanager
def estimators(name: str) -> Iterator[EstimatorFor]:
    """The estimator of that name for any session, while the block lasts. Using it may raise CountingError or UsageError."""
    if name == "tiktoken":
        with _tiktoken() as found:
            yield lambda _: found
    elif name == "calibrated":
        yield lambda session: calibration_of(session).estimator
    elif name == "api":
        yield _of_the_api
    else:
        yield lambda _: ROUGH


@contextmanager
def _tiktoken() -> Iterator[Estimator]:
    from ..counting.cache import shared
    from ..counting.counter import Counter

    with Counter(shared()) as counter:
        yield by_texts("tiktoken", "o200k_base tokens", "another model's tokenizer: near, never exact", counter.count)
        for sentence in counter.notices():
            output.complain(sentence)


def _of_the_api(session: Session) -> Estimator:
    from ..counting.estimators import estimator

    model = model_of(session) or ""
    detail = f"count_tokens for {model}, a request for each {REQUEST_BYTES // 1000} KB, shared out by bytes"
    return by_texts("api", "count_tokens", detail, in_few_requests(estimator("api", model=model)))


def in_few_requests(count: Measure) -> Measure:
    """Counts many texts together and gives each its share by bytes/4: a request for each text would be too many."""

    def measure(texts: Sequence[str]) -> list[int]:
        from ..counting.texts import pieces

        weights = [rough(utf8_length(t)) for t in texts]
        if not any(weights):
            return [0] * len(texts)
        whole = "\n".join(without_surrogates(t) for t in texts if t)
        return shared_out(sum(count(list(pieces(whole, REQUEST_BYTES)))), weights)

    return measure
