"""What asking costs: told before, counted after."""

import pytest

from tests.memory.making import said
from workbench.compaction.models import with_models
from workbench.compaction.request import Request, Usage
from workbench.conversation.array import assemble
from workbench.conversation.figure import exact, unknown
from workbench.summarizers.costs import dollars_of, estimate_cost


def asking(tokens=None) -> Request:
    return Request("summary", "summary:0", "", assemble([said("u", "x" * 4_000)]), max_tokens=20_000, tokens=tokens)


def test_between_the_prompt_alone_and_a_reply_of_full_length():
    cost = estimate_cost(asking(exact(100_000, "usage")), "claude-opus-4-5-20251101")
    assert (cost.model, cost.least, cost.most) == ("Opus 4.5", pytest.approx(0.50), pytest.approx(1.00))
    size, price = cost.sentence.split("output, ")
    assert size == "Opus 4.5: 100,000 prompt tokens (exact) and up to 20,000 of "
    assert price == "$0.50 to $1.00; less where the prompt is in the cache."


def test_without_a_figure_the_messages_are_counted_roughly():
    cost = estimate_cost(asking(), "claude-sonnet-5")
    assert (cost.prompt.tokens, cost.prompt.kind) == (1_000, "estimated")


def test_a_long_prompt_is_dear_for_the_model_that_says_so():
    short, long = (estimate_cost(asking(exact(n, "usage")), "claude-haiku-5-5") for n in (100_000, 100_001))
    assert (short.least, long.least) == (pytest.approx(0.01), pytest.approx(0.05, rel=1e-4))


def test_a_model_without_a_price_says_so_and_the_user_s_table_helps():
    cost = estimate_cost(asking(), "llama-9")
    assert (cost.least, cost.most) == (None, None)
    assert "its price is not known here" in cost.sentence
    table = with_models(
        {"llama-9": dict.fromkeys(("input", "output", "write_5m", "write_1h", "read"), 1) | {"window": 1, "max_output": 1}}
    )
    assert estimate_cost(asking(), "llama-9", table).least == pytest.approx(0.001)


def test_an_unknown_size_has_no_price():
    cost = estimate_cost(asking(unknown("no call")), "claude-opus-5")
    assert cost.least is None
    assert "an unknown number of prompt tokens" in cost.sentence


def test_what_a_reply_cost():
    assert dollars_of(Usage(1_000_000, 100_000), "claude-opus-5") == pytest.approx(7.5)
    assert dollars_of(Usage(1, 1), "llama-9") is None
