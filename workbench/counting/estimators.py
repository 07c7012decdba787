"""The table of estimators the command line and the screen hand to the rest of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from workbench.conversation.text import rough, utf8_length
from workbench.counting import api
from workbench.counting.counter import Counter
from workbench.errors import UsageError

NAMES = ("rough", "tiktoken", "api")

Estimate = Callable[[Sequence[str]], list[int]]


def estimator(name: str, *, counter: Counter | None = None, model: str = "") -> Estimate:
    """The estimator of that name: texts in, tokens of each out; raises UsageError for an unknown name.

    "rough" is ceil(utf-8 bytes / 4). "tiktoken" is o200k_base through `counter`; without one, each call starts and
    ends a process of its own (0.5 s). "api" needs `model`, and sends one request per text. Both raise CountingError.
    """
    if name == "rough":
        return rough_tokens
    if name == "tiktoken":
        return count_once if counter is None else counter.count
    if name == "api":
        if not model:
            raise UsageError("Counting with the API needs a model: name the one the session used.")
        return partial(api.count_texts, model=model)
    raise UsageError(f"There is no estimator {name!r}; choose one of {', '.join(NAMES)}.")


def rough_tokens(texts: Sequence[str]) -> list[int]:
    """ceil(utf-8 bytes / 4) of each text: the agent's own estimator (spec 1, section 2)."""
    return [rough(utf8_length(text)) for text in texts]


def count_once(texts: Sequence[str]) -> list[int]:
    """o200k_base tokens of each text, in a counting process started and ended for this call."""
    with Counter() as counter:
        return counter.count(texts)
