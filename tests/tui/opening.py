"""A session on the screen, and what a user can read there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widget import Widget
from textual.worker import WorkerCancelled

from tests.house.files import ROOT
from workbench.compaction.profiles import preset_of, resolve
from workbench.storage import open_session
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.session import SessionScreen
from workbench.tui.widgets.painted_line import PaintedLine

SAMPLES = ROOT / "sample_sessions"


class Shown:
    """The screen of an open session under a pilot."""

    def __init__(self, pilot: Pilot[Any]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> SessionScreen:
        screen = self.pilot.app.screen
        assert isinstance(screen, SessionScreen)
        return screen

    async def press(self, *keys: str) -> None:
        """Presses keys one by one, each time until nothing is computed any more."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, *keys: str) -> None:
        """Sends keys as a terminal does, none waiting for what came of the one before; then until nothing is computed."""
        for key in keys:
            self.send(key)
        await self.settle()

    def send(self, key: str) -> None:
        """A key from the terminal."""
        name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        driver = self.pilot.app._driver
        assert driver is not None
        driver.send_message(Key(name, key if len(key) == 1 else None))

    async def settle(self) -> None:
        """Waits until no worker runs, nor one that another has started; those that were overtaken count for nothing."""
        workers = self.pilot.app.workers
        await self.pilot.pause()
        while any(worker.is_running for worker in workers):
            with suppress(WorkerCancelled):
                await workers.wait_for_complete()
            await self.pilot.pause()

    @property
    def told(self) -> list[str]:
        """What was said in passing."""
        return [notification.message for notification in self.pilot.app._notifications]

    @property
    def picture(self) -> list[str]:
        """All lines of the screen."""
        return ["".join(segment.text for segment in strip) for strip in self.pilot.app.screen._compositor.render_strips()]

    def lines(self, selector: str) -> list[str]:
        """The lines of a widget as they stand on the screen."""
        return lines_of(self.screen.query_one(selector))

    def titles(self, tab: str) -> list[str]:
        """The lines between the parts of a tab's pane."""
        return [lines_of(line)[0] for line in self.screen.query_one(f"#pane-{tab}").query(PaintedLine) if line.size.height]

    @property
    def focused(self) -> str:
        return (self.screen.focused and self.screen.focused.id) or ""


def lines_of(widget: Widget) -> list[str]:
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


def application(path: Path) -> WorkbenchApp:
    """The application with a session to open."""
    return WorkbenchApp(open_session(str(path)), lambda session: resolve("articles", preset_of(session.index.last_version)))


@asynccontextmanager
async def opened(path: Path, *keys: str, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Shown]:
    """A session opened in a terminal of a size, read to the end, with keys pressed."""
    app = application(path)
    async with app.run_test(size=size) as pilot:
        shown = Shown(pilot)
        await shown.settle()
        await shown.press(*keys)
        yield shown
