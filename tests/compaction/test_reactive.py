"""A reactive compaction is sized by what the API reported (section 11; today's agent: 6-observed, section 2)."""

import pytest

from workbench.compaction.profiles import OBSERVED, resolve
from workbench.compaction.reactive import reaction, split
from workbench.compaction.settings import flag_layer
from workbench.compaction.too_long import read_error

from .telling import text, turn, user

ARTICLES, TODAY = resolve(), resolve(OBSERVED)


def history(count: int, tokens: int, head: int = 2_500):
    return [user(text(head)), *(r for _ in range(count) for r in turn(tokens))]


def too_long(gap: int, limit: int = 200_000):
    return read_error(f"prompt is too long: {limit + gap} tokens > {limit} maximum")


@pytest.mark.parametrize(("gap", "summarised"), [(10_000, 2), (2_500, 1), (1, 1), (10_501, 3), (99_999, 5)])
def test_the_oldest_rounds_that_make_up_the_gap_are_summarised(gap, summarised):
    rows = history(6, 4_000)
    parts = split(rows, too_long(gap), ARTICLES)
    assert parts.rounds == (summarised, 6)
    assert (*parts.summarised, *parts.kept) == tuple(rows)
    assert f"{6 - summarised} stay" in parts.reason and "verbatim" in parts.reason
    assert [c.kind for c in parts.changes] == ["summarise", "keep"]


def test_without_a_gap_a_fifth_goes_and_at_least_one_round():
    assert split(history(6, 4_000), read_error("prompt is too long"), ARTICLES).rounds == (1, 6)
    assert split(history(19, 100), read_error("prompt is too long"), ARTICLES).rounds == (3, 19)


def test_a_single_round_is_summarised_whole():
    parts = split(history(1, 9_000), too_long(100), ARTICLES)
    assert (parts.rounds, parts.kept) == ((1, 1), ())


@pytest.mark.parametrize(
    ("count", "tokens", "gap", "limit", "summarised"),
    [  # measured runs of 2.1.332, a first prompt of about 2,500 tokens in front
        (6, 60, 10_000, 200_000, 2),
        (10, 60, 10_000, 200_000, 4),
        (10, 1_060, 1_000, 200_000, 8),
        (10, 1_060, 30_000, 200_000, 6),
        (10, 1_060, 100_000, 200_000, 4),
        (10, 1_060, 30_000, 50_000, 3),
        (10, 1_060, 30_000, 30_000, 2),
        (10, 1_060, 30_000, 1_000_000, 8),
        (10, 2_060, 1_000, 200_000, 9),
    ],
)
def test_today_as_many_rounds_as_a_summary_request_holds_are_summarised(count, tokens, gap, limit, summarised):
    assert split(history(count, tokens), too_long(gap, limit), TODAY).rounds == (summarised, count)


def test_today_without_numbers_all_but_the_newest_round_go():
    assert split(history(10, 1_000), read_error("prompt is too long"), TODAY).rounds == (9, 10)


def allowed(*pairs: str, earlier: int = 0):
    return reaction(earlier, resolve(layers=[flag_layer(pairs)]))


def test_one_attempt_is_the_safety_net_of_automatic_compaction():
    assert allowed().is_tried
    assert "safety net" in allowed().reason
    assert not allowed(earlier=1).is_tried


@pytest.mark.parametrize(
    ("pairs", "is_tried"),
    [
        (["reactive=on"], True),
        (["reactive=on", "DISABLE_AUTO_COMPACT=1"], True),
        (["DISABLE_AUTO_COMPACT=1"], False),
        (["collapse=on"], False),
        (["reactive=on", "DISABLE_COMPACT=1"], False),
    ],
)
def test_the_modes_exclude_each_other(pairs, is_tried):
    answer = allowed(*pairs)
    assert answer.is_tried is is_tried
    assert is_tried or "the API's error is shown" in answer.reason
