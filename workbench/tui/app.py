"""The application: themes, the first screen, the palette. Everything else is on the screens."""

import sys
from asyncio import get_running_loop
from collections.abc import Callable, Iterable, Mapping
from signal import SIGTERM
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from ..errors import UsageError
from ..storage import STDIN, is_folder, open_session, return_keyboard
from .jobs import Reader
from .reading import Reading
from .theme import THEMES, role_variables

if TYPE_CHECKING:
    from ..workspace.catalogue import Facts


STARTED = 0.5  # seconds from the first mount: what is seen first is there by then, and what comes behind it


class WorkbenchApp(App[None]):
    """Opens one session, or the picker when none is named."""

    TITLE = "workbench"
    CSS_PATH = "screens/session.tcss"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = [("ctrl+q", "quit", "Quit")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]

    def __init__(
        self,
        reader: Reader | None,
        settings: Callable[[Any], Any],
        keys: dict[str, str] | None = None,
        started: Callable[[], None] | None = None,
        folder: str = "",
    ) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "workbench"
        self._first = None if reader is None else Reading(reader, settings)
        self._settings = settings
        self._keys = keys or {}
        self._started = started
        self._folder = folder
        self.known_facts: Mapping[str, Facts] = {}  # what the picker has read of files, by path

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_variables(self.current_theme)

    def on_mount(self) -> None:
        if self._keys:
            self.set_keymap(self._keys)
        if self._started is not None:
            self.set_timer(STARTED, self._started)
            get_running_loop().add_signal_handler(SIGTERM, self.exit)  # the terminal is given back as it was
        if self._first is None:
            self.open_picker(self._folder)
        else:
            self._show(self._first)

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
        self._show(Reading(reader, self._settings))

    def _show(self, reading: Reading) -> None:
        from .screens.session import SessionScreen

        screen = SessionScreen(reading)
        if isinstance(self.screen, SessionScreen):
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def open_picker(self, folder: str = "") -> None:
        """Asks which session of a folder (by default the agent's) to open; left without an answer, the screen before stays, or
        the application ends."""
        from .screens.picker import PickerScreen
        from .screens.session import SessionScreen

        def picked(reader: Reader | None) -> None:
            if reader is not None:
                self.open_reader(reader)
            elif not isinstance(self.screen, SessionScreen):
                self.exit()

        self.push_screen(PickerScreen(self.known_facts, folder), picked)

    def action_command_palette(self) -> None:
        """Every command by its name."""
        from .screens.commands import Commands
        from .screens.picker import PickerScreen
        from .screens.session import SessionScreen

        if isinstance(self.screen, SessionScreen | PickerScreen):  # over a question there is nothing but its answers
            self.push_screen(Commands(id="--command-palette"))

    async def action_quit(self) -> None:
        """Leaves the workbench; asked first where something that was written here would be lost, whatever stands over it."""
        from .screens.session import SessionScreen

        session = next((s for s in self.screen_stack if isinstance(s, SessionScreen)), None)
        if session is None:
            self.exit()
        else:
            session.leave(self.exit)

    def search_themes(self) -> None:
        """Every theme by its name."""
        from textual.theme import ThemeProvider

        from .screens.commands import Commands

        self.push_screen(Commands(providers=[ThemeProvider], placeholder="Search for themes…"))

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


def run_screen(
    path: str | None,
    settings: Callable[[Any], Any],
    keys: dict[str, str] | None = None,
    started: Callable[[], None] | None = None,
) -> int:
    """Runs the full screen, and `started` once it stands; of a folder the picker lists the sessions. A PATH that cannot be
    opened raises before the screen is taken.

    Raises UsageError where there is no terminal to paint on: Textual paints through stderr.
    """
    folder = path if path and path != STDIN and is_folder(path) else ""
    reader = open_session(path) if path and not folder else None
    if sys.__stderr__ is None or not sys.__stderr__.isatty():
        raise UsageError("The screen needs a terminal; `workbench inspect PATH` prints what is in a session.")
    if path == STDIN:
        return_keyboard()
    app = WorkbenchApp(reader, settings, keys, started, folder)
    app.run()
    return app.return_code or 0
