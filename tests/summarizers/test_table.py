"""How a summarizer is named, and what the names say of it."""

import pytest

from workbench.errors import UsageError
from workbench.summarizers import TABLE, Choice, read_choice


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        ("offline", Choice("offline")),
        ("recorded", Choice("recorded")),
        ("file:notes/summary.md", Choice("file", "notes/summary.md")),
        ("file:C:/notes.md", Choice("file", "C:/notes.md")),
        ("command:agent -p --model 'small one'", Choice("command", "agent -p --model 'small one'")),
        (" claude ", Choice("claude")),
    ],
)
def test_a_name_as_typed(typed, choice):
    assert read_choice(typed) == choice
    assert read_choice(str(choice)) == choice


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("ofline", "the nearest is offline"),
        ("fiel:x", "the nearest is file:PATH"),
        ("", "known are offline, recorded, file:PATH, command:CMD, claude"),
        ("file:", "write file:PATH"),
        ("command", "write command:CMD"),
        ("offline:fast", "takes nothing behind a colon"),
    ],
)
def test_a_name_that_will_not_do_says_what_would(typed, words):
    with pytest.raises(UsageError) as caught:
        read_choice(typed)
    assert words in str(caught.value)


def test_only_what_leaves_the_machine_may_cost_something():
    assert [name for name, about in TABLE.items() if about.costs] == ["command", "claude"]
    assert all(about.about for about in TABLE.values())
