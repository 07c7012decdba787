"""The application: themes, the first screen, the palette. Everything else is on the screens."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from ..errors import UsageError
from ..storage import STDIN, open_session, return_keyboard
from .jobs import Reader
from .reading import Reading
from .theme import THEMES, role_variables

if TYPE_CHECKING:
    from ..workspace.catalogue import Facts


class WorkbenchApp(App[None]):
    """Opens one session, or the picker when none is named."""

    TITLE = "workbench"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = [("ctrl+q", "quit", "Quit")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]

    def __init__(self, reader: Reader | None, settings: Callable[[Any], Any], keys: dict[str, str] | None = None) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "workbench"
        self._reader = reader
        self._settings = settings
        self._keys = keys or {}
        self.known_facts: Mapping[str, Facts] = {}  # what the picker has read of files, by path

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_variables(self.current_theme)

    def on_mount(self) -> None:
        if self._keys:
            self.set_keymap(self._keys)
        if self._reader is None:
            self.open_picker()
        else:
            self.open_reader(self._reader)

    def action_help_quit(self) -> None:
        """Ctrl+C, where nothing is selected that could be copied."""
        self.notify("Ctrl+Q leaves the workbench.", timeout=4)

    def copy_to_clipboard(self, text: str) -> None:
        """Copies, and says so: whether the terminal lets it through cannot be seen from here."""
        super().copy_to_clipboard(text)
        lines = text.count("\n") + (not text.endswith("\n"))
        told = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        self.notify(f"{told} copied to the clipboard.", timeout=4)

    def open_reader(self, reader: Reader) -> None:
        """Shows a session; the one before is closed."""
        from .screens.session import SessionScreen

        screen = SessionScreen(Reading(reader, self._settings))
        if isinstance(self.screen, SessionScreen):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def open_picker(self) -> None:
        """Asks which session to open; left without an answer, the screen before stays, or the application ends."""
        from .screens.picker import PickerScreen

        def picked(reader: Reader | None) -> None:
            if reader is not None:
                self.open_reader(reader)
            elif len(self.screen_stack) == 1:
                self.exit()

        self.push_screen(PickerScreen(self.known_facts), picked)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        from .commands.picker import COMMANDS as OF_THE_PICKER
        from .commands.registry import COMMANDS
        from .screens.picker import PickerScreen
        from .screens.session import SessionScreen

        if isinstance(screen, SessionScreen):
            for command in COMMANDS:
                yield SystemCommand(command.name, command.tooltip(), lambda c=command: screen.run_command(c.id))
        elif isinstance(screen, PickerScreen):
            for choice in OF_THE_PICKER:
                yield SystemCommand(choice.name, choice.tooltip(), lambda c=choice: screen.run_command(c.id))
            yield SystemCommand("Theme", "Choose another theme", self.action_change_theme)
        else:
            yield from super().get_system_commands(screen)


def run_screen(path: str | None, settings: Callable[[Any], Any], keys: dict[str, str] | None = None) -> int:
    """Runs the full screen; a PATH that cannot be opened raises before the screen is taken.

    Raises UsageError where there is no terminal to paint on: Textual paints through stderr.
    """
    reader = open_session(path) if path else None
    if sys.__stderr__ is None or not sys.__stderr__.isatty():
        raise UsageError("The screen needs a terminal; `workbench inspect PATH` prints what is in a session.")
    if path == STDIN:
        return_keyboard()
    app = WorkbenchApp(reader, settings, keys)
    app.run()
    return app.return_code or 0
