"""What the user can do is told once: every command has a label, words for palette and help, and keys of its own."""

from collections import Counter

import pytest

from workbench.tui.commands.command import key_words
from workbench.tui.commands.registry import COMMANDS, PICKER_COMMANDS

EVERY = [*COMMANDS, *PICKER_COMMANDS]


@pytest.mark.parametrize("command", EVERY, ids=lambda c: c.id)
def test_a_command_says_what_it_does(command: type) -> None:
    assert command.label and command.name and command.tooltip()  # type: ignore[attr-defined]
    assert not command.tooltip().endswith("."), "a tooltip is a phrase"  # type: ignore[attr-defined]
    assert all(word.strip() for word in key_words(command.key).split())  # type: ignore[attr-defined]


def test_ids_are_unique() -> None:
    assert not [name for name, count in Counter(c.id for c in EVERY).items() if count > 1]


def test_a_place_gives_no_key_to_two_commands() -> None:
    keys = Counter((c.where, key) for c in COMMANDS for key in c.key.split(","))
    keys.update(("picker", key) for c in PICKER_COMMANDS for key in c.key.split(","))
    assert not [key for key, count in keys.items() if count > 1]
