"""The screen that asks which session to open: found, searched, sorted, and read a little, while the keys stay free."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Input
from textual.worker import get_current_worker

from ...errors import WorkbenchError
from ...finding import find, open_typed
from ...storage import is_folder
from ...workspace import catalogue as moves
from ...workspace.catalogue import MOST_COMPACTED, Catalogue, Entry, Facts, Found
from ...workspace.listing import OpenPath
from ...workspace.surveying import Wanted, next_job
from ..commands.picker import BY_ID, COMMANDS
from ..jobs import Reader
from ..painting.picker import top_line
from ..painting.picker_foot import preview
from ..painting.text import one_line
from ..surveying import Surveying
from ..theme import palette_of
from ..widgets.line_list import LineList
from ..widgets.painted_line import PaintedLine
from ..widgets.picker_list import PickerKeys, PickerList
from .closing import ClosesOnce, is_open

if TYPE_CHECKING:
    from ..app import WorkbenchApp

STALE_AFTER = 30  # seconds after which "2 min ago" is said anew
PREVIEW = 3  # lines


class PickerScreen(ClosesOnce[Reader | None]):
    """Gives the file that the user chose, open, or None when the user left.

    known   facts of an earlier visit
    folder  which to list, instead of the agent's own
    """

    CSS_PATH = "picker.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(command.binding() for command in COMMANDS),
        Binding("up", "browse(-1)", "Up", show=False),  # while one types in the search
        Binding("down", "browse(1)", "Down", show=False),
    ]
    app: "WorkbenchApp"

    catalogue: reactive[Catalogue] = reactive(Catalogue(), init=False)

    def __init__(self, known: Mapping[str, Facts] | None = None, folder: str = "") -> None:
        super().__init__()
        self.set_reactive(PickerScreen.catalogue, Catalogue(facts=known or {}))
        self._folder = folder
        self._surveying: Surveying | None = None  # while a worker reads

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._top, id="top")
        yield Input(placeholder="words in project, title or id", id="search", compact=True)
        yield PickerList(id="sessions")
        with Vertical(id="preview"):
            for line in range(PREVIEW):
                yield PaintedLine(partial(self._preview, line))
        yield PickerKeys(id="foot")

    def on_mount(self) -> None:
        self.watch(self.sessions, "scroll_y", self._want, init=False)
        self.set_interval(STALE_AFTER, self._show, name="age")
        self.sessions.focus()
        self.look()

    @property
    def sessions(self) -> PickerList:
        return self.query_one(PickerList)

    @property
    def search(self) -> Input:
        return self.query_one("#search", Input)

    @property
    def is_reading(self) -> bool:
        """Whether a worker is still reading files."""
        return self._surveying is not None

    # showing

    def watch_catalogue(self) -> None:
        self._show()
        self.call_after_refresh(self._want)

    def _show(self) -> None:
        if not is_open(self):
            return
        self.sessions.show(self.catalogue)
        self._repaint()

    def _repaint(self) -> None:
        for line in self.query(PaintedLine):
            line.repaint()

    def _top(self, width: int) -> Text:
        return top_line(self.catalogue, self.is_reading, width, palette_of(self.app))

    def _preview(self, line: int, width: int) -> Text:
        return preview(self.sessions.chosen, self.catalogue, line, width, palette_of(self.app))

    # commands

    def action_command(self, name: str) -> None:
        self.run_command(name)

    def run_command(self, name: str) -> None:
        """Runs a command of the picker."""
        BY_ID[name].run(self)

    def open_selected(self) -> None:
        chosen = self.sessions.chosen
        if isinstance(chosen, Entry):
            self._open(chosen.path)
        elif isinstance(chosen, OpenPath):
            self.ask_path()

    def open_search(self) -> None:
        self.search.add_class("-open")
        self.search.focus()

    def sort_otherwise(self) -> None:
        self.catalogue = moves.next_order(self.catalogue)

    def ask_path(self) -> None:
        """Asks for a path; what was searched for in vain may have been one."""
        from .ask import Ask

        hint = "a session file, an id, or a folder to list"
        self.app.push_screen(Ask("Open what?", self.catalogue.words, hint), self._typed)

    def _typed(self, name: str | None) -> None:
        name = (name or "").strip()
        if name and is_folder(name):
            self._folder = name
            self.look()
        elif name:
            self._open(name)

    def _open(self, name: str) -> None:
        try:
            self.dismiss(open_typed(name))
        except WorkbenchError as error:
            self.notify(one_line(str(error)), severity="error", timeout=8, markup=False)

    def to_next_group(self) -> None:
        if self.sessions.has_focus:
            self.sessions.to_next_group()
        self.sessions.focus()

    def show_help(self) -> None:
        from .picker_help import PickerHelp

        self.app.push_screen(PickerHelp())

    def back(self) -> None:
        if self.search.has_class("-open"):
            self.search.value = ""
            self.search.remove_class("-open")
            self.sessions.focus()
        elif self._folder:
            self._folder = ""
            self.look()
        else:
            self.dismiss(None)

    def action_browse(self, rows: int) -> None:
        self.sessions.action_move(rows)

    # listening

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._repaint()
        self._want()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        self.open_selected()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.catalogue = moves.searched(self.catalogue, event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.open_selected()

    def on_unmount(self) -> None:
        self.app.known_facts = self.catalogue.facts

    # jobs

    @work(thread=True, group="finding", exclusive=True, description="looking for sessions")
    def look(self) -> None:
        """Looks at the folders again."""
        found = find(self._folder)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._found, found)

    def _found(self, found: Found) -> None:
        self._surveying = None  # what it read may be of files as they were
        self.catalogue = moves.found_anew(self.catalogue, found)

    def _want(self) -> None:
        """What is in sight or chosen has changed: a worker that reads goes by it, one is started where none does."""
        found = self.catalogue.found
        if found is None or not is_open(self):
            return
        chosen = self.sessions.chosen
        wanted = Wanted(
            self.sessions.in_sight,
            chosen if isinstance(chosen, Entry) else None,
            (*found.sessions, *found.samples),
            self.catalogue.order == MOST_COMPACTED,
        )
        if self._surveying is not None:
            self._surveying.wanted = wanted
        elif next_job(wanted, self.catalogue.facts) is not None:
            self._surveying = Surveying(wanted)
            self.survey(self._surveying, self.catalogue.facts)

    @work(thread=True, group="catalogue", exclusive=True, description="reading sessions")
    def survey(self, surveying: Surveying, known: Mapping[str, Facts]) -> None:
        """Reads what is wanted of files, and tells it in batches."""
        worker = get_current_worker()
        for facts in surveying.batches(known, lambda: worker.is_cancelled):
            if worker.is_cancelled:
                return
            self.app.call_from_thread(self._learned, surveying, facts)
        if not worker.is_cancelled:
            self.app.call_from_thread(self._rested, surveying)

    def _learned(self, surveying: Surveying, facts: Mapping[str, Facts]) -> None:
        if surveying is self._surveying:
            self.catalogue = moves.learned(self.catalogue, facts)

    def _rested(self, surveying: Surveying) -> None:
        if surveying is self._surveying:
            self._surveying = None
            self._want()
            self._repaint()
