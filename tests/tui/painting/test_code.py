"""Which characters of a code get which colour, and that a long one costs no more than a short one."""

import pytest

from workbench.tui.painting.code import MOST_COLOURED, MOST_TOKENS, code, json_text
from workbench.tui.painting.document import Paragraph, shown
from workbench.tui.painting.languages import language_of_path, language_of_text


def coloured(paragraph: Paragraph) -> dict[str, str]:
    return {paragraph.text[s.start : s.end]: s.style for s in paragraph.spans}


def test_python() -> None:
    found = coloured(code('def f(x):  # why\n    return "é" + 12\n', "python"))
    assert found["def"] == "assistant" and found["f"] == "user" and found["# why"] == "muted"
    assert found["12"] == "tool" and "é" in "".join(text for text, style in found.items() if style == "added")


def test_numbers_of_lines_fade_and_the_code_behind_them_is_one_text() -> None:
    text = "     1→def f():\n     2→    '''more\n     3→    lines'''\n    10→    return 1\n"
    found = coloured(code(text, "python"))
    assert found["     1→"] == found["    10→"] == "muted"
    assert found["    lines'''"] == "added" and found["return"] == "assistant"


@pytest.mark.parametrize("language", ["", "no-such-language"])
def test_an_unknown_language_stays_plain(language: str) -> None:
    assert code("def f(): pass", language).spans == ()


def test_a_text_may_tell_its_language_itself() -> None:
    assert coloured(code("diff --git a/x b/x\n-old\n+new\n", ""))["+new"] == "added"
    assert coloured(code('{"a": 1}', ""))['"a"'] == "key"


def test_json() -> None:
    found = coloured(json_text('{"a": [1, -2.5e3, "x\\"y", true, null], "cut": "off he'))
    assert found == {
        '"a"': "key", "1": "tool", "-2.5e3": "tool", '"x\\"y"': "added", "true": "assistant", "null": "assistant",
        '"cut"': "key", '"off he': "added",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["x = 1\n" * 40_000, "{" * 200_000, '"' * 200_001, "\\" * 200_000, "     1→x = 1\n" * 20_000])
def test_only_the_beginning_of_a_long_text_is_coloured(text: str) -> None:
    for paragraph in (code(text, "python"), json_text(text)):
        assert paragraph.text == text
        assert len(paragraph.spans) <= MOST_TOKENS
        assert all(span.end <= MOST_COLOURED for span in paragraph.spans)
        assert all(a.end <= b.start for a, b in zip(paragraph.spans, paragraph.spans[1:], strict=False))


def test_what_is_unsafe_stays_a_sign_in_colours_too() -> None:
    assert "\x1b" not in shown_text(code('print("\x1b[31m")', "python"))


def shown_text(paragraph: Paragraph) -> str:
    from workbench.tui.painting.document import Document

    return shown(Document((paragraph,))).text


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/a/b.py", "python"),
        ("C:\\x\\Main.KT", "kotlin"),
        ("Dockerfile", "docker"),
        ("/a/Makefile", "make"),
        ("notes", ""),
        ("", ""),
    ],
)
def test_language_of_a_path(path: str, language: str) -> None:
    assert language_of_path(path) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [("#!/usr/bin/env python3\n", "python"), ("#!/bin/sh\n", "bash"), ("[INFO] started", ""), ("[ 1 ]", ""), ('["a"]', "json")],
)
def test_language_of_a_text(text: str, language: str) -> None:
    assert language_of_text(text) == language
