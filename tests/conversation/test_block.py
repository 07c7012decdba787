"""A block's facts are measured once, when it is read: bytes, tokens, the first words, whatever its JSON holds."""

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.conversation.block import read_block, read_content, text_block
from workbench.conversation.image import Image, image_of, sides

PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 280, 56)
WEBP = b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08" + struct.pack(">HH", 300, 400) + b"\0" * 9

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "id", "text", "content", "x"]), inner),
    max_leaves=8,
)


def picture(data: bytes) -> dict[str, object]:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}}


def test_a_text_counts_bytes_not_characters() -> None:
    block = read_block({"type": "text", "text": "naïve 🌱"})
    assert (block.size, block.tokens, block.head) == (11, 3, "naïve 🌱")
    assert not block.blank
    assert read_block({"type": "text", "text": " \n"}).blank


def test_a_call_counts_its_name_and_its_input() -> None:
    block = read_block({"type": "tool_use", "id": "toolu_a", "name": "Read", "input": {"file_path": "/a"}})
    assert (block.call, block.name, block.size) == ("toolu_a", "Read", 4 + len('{"file_path":"/a"}'))


def test_a_result_counts_its_texts_and_its_pictures() -> None:
    block = read_block(
        {"type": "tool_result", "tool_use_id": "toolu_a", "content": [{"type": "text", "text": "12345678"}, picture(PNG)]}
    )
    assert (block.call, block.size, block.tokens, block.error) == ("toolu_a", 8, 2 + 10 * 2, False)
    assert [i.side for i in block.images] == [280]
    assert read_block({"type": "tool_result", "tool_use_id": "a", "content": "x", "is_error": True}).error


@pytest.mark.parametrize("content", [None, "", [], [None], [7], {"type": "text"}, 12, [{"type": "text", "text": None}]])
def test_content_of_any_shape_is_read(content: object) -> None:
    assert isinstance(read_content(content), tuple)


def test_an_unknown_block_keeps_its_body_and_costs_nothing() -> None:
    block = read_block({"type": "hologram", "data": "x"})
    assert (block.kind, block.tokens, block.body) == ("hologram", 0, {"type": "hologram", "data": "x"})


@given(st.dictionaries(st.sampled_from(["type", "id", "name", "input", "tool_use_id", "content", "text", "source"]), json_values))
def test_no_block_is_too_strange_to_be_measured(body: dict[str, object]) -> None:
    block = read_block(body)
    assert block.size >= 0
    assert block.tokens >= 0
    slim = block.slim()
    assert slim.body is None
    assert (slim.kind, slim.size, slim.tokens, slim.call) == (block.kind, block.size, block.tokens, block.call)


@given(st.text())
def test_a_text_made_here_is_the_block_that_is_sent(words: str) -> None:
    assert text_block(words).body == {"type": "text", "text": words}
    assert text_block(words).blank == (not words.strip())


@pytest.mark.parametrize(
    ("data", "expected"), [(PNG, (280, 56)), (WEBP, (640, 480)), (JPEG, (400, 300)), (b"GIF89a\x05\0\x06\0", (5, 6))]
)
def test_the_sides_of_a_picture_are_in_its_first_bytes(data: bytes, expected: tuple[int, int]) -> None:
    assert sides(data) == expected
    assert (image_of(picture(data)).width, image_of(picture(data)).height) == expected


def test_a_picture_costs_its_patches_and_never_more_than_the_most() -> None:
    assert Image(280, 56, 0).tokens == 10 * 2
    assert Image(281, 57, 0).tokens == 11 * 3
    assert Image(8_000, 8_000, 0).tokens == 1_568
    assert Image(0, 0, 0).tokens == 1_568


@given(st.binary(max_size=64))
def test_no_picture_is_too_broken_to_be_looked_at(data: bytes) -> None:
    image = image_of(picture(data))
    assert image.size == len(data)
    assert image.width >= 0
