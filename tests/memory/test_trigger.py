"""When notes are taken: the checks of spec 1, section 8.2, and the counters between extractions."""

import pytest

from workbench.memory.trigger import TriggerSettings, Turn, judge, replay


def extracts(tokens: int, baseline: int | None = None, calls: int = 0, pending: int = 0) -> bool:
    return judge(Turn(0, tokens, pending), baseline, calls).extracts


@pytest.mark.parametrize(("tokens", "expected"), [(9_999, False), (10_000, True)])
def test_the_first_notes(tokens: int, expected: bool) -> None:
    assert extracts(tokens, calls=9, pending=1) is expected


@pytest.mark.parametrize(
    ("growth", "calls", "pending", "expected"),
    [
        (4_999, 10, 0, False),
        (5_000, 2, 1, False),
        (5_000, 3, 1, True),
        (5_000, 0, 0, True),
    ],
)
def test_the_next_notes(growth: int, calls: int, pending: int, expected: bool) -> None:
    assert extracts(20_000 + growth, 20_000, calls, pending) is expected


def test_a_session_is_replayed_with_its_counters() -> None:
    found = replay(
        [
            Turn(1, 9_000, 2),
            Turn(2, 12_000, 1),  # the first
            Turn(3, 15_000, 2),
            Turn(4, 17_500, 1),  # grown by 5,500 with three calls
            Turn(5, 21_000, 0),  # a plain reply, but grown by 3,500 only
            Turn(6, 23_000, 1),  # one call
            Turn(7, 24_000, 0),  # the turn ends
        ]
    )
    assert [j.place for j in found if j.extracts] == [2, 4, 7]
    assert [j.calls for j in found] == [2, 3, 2, 3, 0, 1, 1]
    assert [j.baseline for j in found] == [None, None, 12_000, 12_000, 17_500, 17_500, 17_500]


def test_a_compaction_starts_the_counters_again() -> None:
    found = replay(
        [
            Turn(1, 150_000, 1),
            Turn(2, 154_000, 9),
            Turn(3, 30_000, 1, compacted=True),
            Turn(4, 34_999, 5),
            Turn(5, 35_000, 1),
        ]
    )
    assert [(j.baseline, j.growth, j.calls) for j in found[2:]] == [(30_000, 0, 1), (30_000, 4_999, 6), (30_000, 5_000, 7)]
    assert [j.place for j in found if j.extracts] == [1, 5]


def test_the_reason_names_the_numbers() -> None:
    settings = TriggerSettings(first=100, growth=50, calls=2)
    turns = [Turn(1, 90), Turn(2, 110), Turn(3, 120, 1), Turn(4, 165, 0), Turn(5, 230, 1), Turn(6, 240, 1)]
    assert [j.reason for j in replay(turns, settings)] == [
        "90 tokens in context, the first notes are taken at 100",
        "110 tokens in context, the first notes are taken at 100",
        "the context grew by 10 tokens since the last notes, 50 are needed",
        "the context grew by 55 tokens, and the turn ended without a tool call",
        "the context grew by 65 tokens, but with 1 of 2 tool calls, and the turn goes on",
        "the context grew by 75 tokens with 2 tool calls since the last notes",
    ]
