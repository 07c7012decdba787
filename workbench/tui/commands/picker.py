"""The commands of the session picker, in the order in which footer, palette and help list them."""

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from .command import key_words

if TYPE_CHECKING:
    from ..screens.picker import PickerScreen


class PickerCommand:
    """One thing the user can do in the picker; fields and docstring as of `Command`."""

    id: ClassVar[str]
    key: ClassVar[str]
    label: ClassVar[str]
    name: ClassVar[str]

    @classmethod
    def tooltip(cls) -> str:
        """The help text: the docstring's first line."""
        return (cls.__doc__ or cls.name).strip().split("\n")[0]

    @classmethod
    def binding(cls) -> Binding:
        return Binding(cls.key, f"command('{cls.id}')", cls.label, id=cls.id, tooltip=cls.tooltip())

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        """Does it."""
        raise AssertionError(f"{cls.__name__} does nothing on {screen}")


class Open(PickerCommand):
    """Open the session under the cursor"""

    id, key, label, name = "picker.open", "enter", "open", "Open the selected session"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.open_selected()


class Search(PickerCommand):
    """Search as you type, in project, title and id"""

    id, key, label, name = "picker.search", "slash", "search", "Search the sessions"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.open_search()


class Sort(PickerCommand):
    """Sort by last activity, size or compactions"""

    id, key, label, name = "picker.sort", "s", "sort", "Sort the sessions otherwise"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.sort_otherwise()


class AskPath(PickerCommand):
    """Open a path or an id, or list another folder"""

    id, key, label, name = "picker.path", "o", "path", "Open a path, or list another folder"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.ask_path()


class Refresh(PickerCommand):
    """Look at the folders again"""

    id, key, label, name = "picker.refresh", "r", "refresh", "Refresh the list"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.look()


class NextGroup(PickerCommand):
    """Go to the next group of sessions"""

    id, key, label, name = "picker.group", "tab", "group", "Go to the next group"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.to_next_group()


class Help(PickerCommand):
    """Every key"""

    id, key, label, name = "picker.help", "question_mark,f1", "help", "Help: every key"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.show_help()


class Back(PickerCommand):
    """Clear the search, leave the folder or the picker"""

    id, key, label, name = "picker.back", "escape", "back", "Clear the search, or go back"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.back()


class Leave(PickerCommand):
    """Back to the open session, or quit"""

    id, key, label, name = "picker.leave", "q", "quit", "Leave the picker"

    @classmethod
    def run(cls, screen: "PickerScreen") -> None:
        screen.dismiss(None)


COMMANDS: tuple[type[PickerCommand], ...] = (Open, Search, Sort, AskPath, Refresh, NextGroup, Back, Help, Leave)
BY_ID = {c.id: c for c in COMMANDS}


PALETTE = "palette"


def keys() -> tuple[tuple[str, str, str], ...]:
    """(command, its first key, its label) for the footer, the palette among them."""
    offered = [(c.id, key_words(c.key).split()[0], c.label) for c in COMMANDS]
    return (*offered[:-2], (PALETTE, "^p", "palette"), *offered[-2:])
