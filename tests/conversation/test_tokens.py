"""Tokens by another estimator: each text once, images by their sides, everything else as it was."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.conversation.block import read_block, read_content, text_block
from workbench.conversation.row import Row
from workbench.conversation.tokens import BATCH_BYTES, ROUGH, by_texts, measured_anew, shared_out, texts_of

PNG = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgoAAAANSUhEUgAAABwAAAAc"}}  # 28 x 28: one token


def row(uuid: str, content: object) -> Row:
    return Row(0, None, uuid, "user", "user", blocks=read_content(content))


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


class Letters:
    """Counts letters, and remembers how it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, texts: Sequence[str]) -> list[int]:
        self.asked.append(len(texts))
        return [len(t) for t in texts]


def test_each_block_is_measured_by_its_texts() -> None:
    content = [
        text("four"),
        {"type": "tool_use", "id": "c1", "name": "Read", "input": {"a": 1}},
        {"type": "tool_result", "tool_use_id": "c1", "content": [text("one"), text("seven")]},
        {"type": "tool_result", "tool_use_id": "c1", "content": "plain"},
        {"type": "thinking", "thinking": "hm"},
    ]
    (found,) = measured_anew([row("r", content)], by_texts("letters", "letters", "", Letters()))
    assert [b.tokens for b in found.blocks] == [4, len('Read{"a":1}'), 8, 5, 2]


def test_images_count_by_their_sides_whoever_estimates() -> None:
    content = [PNG, {"type": "tool_result", "tool_use_id": "c1", "content": [PNG, text("see")]}]
    (found,) = measured_anew([row("r", content)], by_texts("letters", "letters", "", Letters()))
    assert [b.tokens for b in found.blocks] == [1, 4]


def test_what_was_no_text_keeps_its_figure() -> None:
    bodies = [{"type": "hologram", "data": "x" * 400}, {"type": "document", "source": {"data": "x" * 400}}]
    blocks = [read_block(b) for b in bodies]
    assert by_texts("letters", "letters", "", Letters()).blocks(blocks) == [0, 100]
    assert texts_of(text_block("gone").slim()) == ()


def test_sizes_and_everything_else_stay() -> None:
    before = row("r", "x" * 40)
    (after,) = measured_anew([before], by_texts("letters", "letters", "", Letters()))
    assert (after.blocks[0].size, after.uuid, after.tokens, before.tokens) == (40, "r", 40, 10)


def test_rows_are_handed_on_in_batches_and_in_order() -> None:
    count = Letters()
    rows = [row(f"r{i}", "x" * (BATCH_BYTES // 2)) for i in range(5)] + [Row(0, None, "link", "system", None)]
    found = list(measured_anew(rows, by_texts("letters", "letters", "", count)))
    assert [r.uuid for r in found] == ["r0", "r1", "r2", "r3", "r4", "link"]
    assert count.asked == [2, 2, 1]


def test_the_agents_own_estimate_touches_nothing() -> None:
    before = row("r", "x" * 41)
    assert list(measured_anew([before], ROUGH)) == [before]
    assert ROUGH.texts(["", "x", "äöü", "x" * 9]) == [0, 1, 2, 3]
    assert ROUGH.blocks(before.blocks) == [11]


@pytest.mark.parametrize(
    ("total", "weights", "parts"),
    [
        (10, [1, 1], [5, 5]),
        (10, [0, 0], [5, 5]),
        (-10, [3, 1], [-8, -2]),
        (7, [], []),
        (0, [1, 2], [0, 0]),
        (9, [0, 3, 0], [0, 9, 0]),
    ],
)
def test_a_total_is_shared_out_in_proportion(total: int, weights: list[float], parts: list[int]) -> None:
    assert shared_out(total, weights) == parts


@given(st.integers(-(10**6), 10**18), st.lists(st.floats(0, 10**9), min_size=1))
def test_the_parts_add_up_exactly_and_share_the_sign(total: int, weights: list[float]) -> None:
    parts = shared_out(total, weights)
    assert sum(parts) == total
    assert all(p * total >= 0 for p in parts)
