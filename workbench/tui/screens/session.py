"""The screen of one session: header, timeline, tabs and the pane of the active tab, all drawn from one workspace."""

from collections.abc import Callable
from importlib import import_module
from threading import Event
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import get_current_worker

from ...errors import WorkbenchError
from ...workspace import moves
from ...workspace.filtering import parse_filter
from ...workspace.state import MESSAGES, STEPS, Loading, Workspace
from ...workspace.view import CALL
from ..commands.command import EVERYWHERE, Command
from ..commands.registry import BY_ID, COMMANDS, bindings
from ..painting.header import top_line
from ..painting.palette import Palette
from ..panes.messages import MessagesPane
from ..reading import Reading
from ..theme import palette_of
from ..widgets.footer import FooterLine, footer_text
from ..widgets.painted_line import PaintedLine
from ..widgets.tab_line import TabLine, tab_text
from .closing import is_open

if TYPE_CHECKING:
    from textual.timer import Timer

    from ...workspace.opened import Opened
    from ..app import WorkbenchApp
    from ..following import Following
    from ..widgets.timeline import Timeline

FIRST_PAINT = 0.04  # seconds: the first rows stand by then, and neither imports nor indexing stood in their way
LOOK_EVERY = 0.25  # seconds
PANES = {"pairs": "PairsPane", "boundary": "BoundaryPane", "notes": "NotesPane", "steps": "StepsPane", "doctor": "DoctorPane"}


class SessionScreen(Screen[None]):
    """Listens, commits moves, and hands what takes time to workers; draws nothing itself."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EVERYWHERE)]
    app: "WorkbenchApp"

    workspace: reactive[Workspace] = reactive(Workspace(""), init=False, repaint=False)

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.filter_text = ""
        self._complete_now = Event()
        self._assembled: tuple[object, ...] = ()
        self._catching_up = False
        self._typed_ahead: list[str] = []
        self.set_reactive(SessionScreen.workspace, Workspace(reading.name))
        self._following: Following | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield PaintedLine(self._painted(top_line), id="top")
        yield Vertical(id="timeline-box")
        yield PaintedLine(self._call_line, id="call")
        yield TabLine(lambda _: tab_text(self.workspace.tab, palette_of(self.app)), id="tabs")
        with Vertical(id="panes"):
            yield MessagesPane(self)
        yield FooterLine(self._footer, id="foot")

    def _footer(self, width: int) -> Text:
        return footer_text(self.workspace.tab, width, palette_of(self.app), self.is_typing)

    @property
    def is_typing(self) -> bool:
        """Whether letters go into the notes."""
        return self.focused is not None and self.focused.id == "notes-editor"

    def on_descendant_focus(self) -> None:
        self.query_one("#foot", FooterLine).repaint()

    def _painted(self, paint: Callable[[Workspace, int, Palette], Text]) -> Callable[[int], Text]:
        return lambda width: paint(self.workspace, width, palette_of(self.app))

    def _call_line(self, width: int) -> Text:
        """Empty, and nothing of it loaded, until the calls are known."""
        if self.workspace.opened is None:
            return Text("")
        from ..painting.call_line import call_line

        return call_line(self.workspace, width, palette_of(self.app))

    def on_mount(self) -> None:
        self.messages.list_of(0).focus()
        self._show_rows()
        self.set_timer(FIRST_PAINT, self._complete)
        self.read()

    async def _complete(self) -> None:
        """What is not needed to show the first rows comes behind them: the timeline, the selected message, the reading."""
        from ..widgets.timeline import Timeline

        await self.query_one("#timeline-box").mount(Timeline(id="timeline", empty="reading the calls…"))
        await self.messages.complete()
        self._complete_now.set()
        self._run_ahead()

    @property
    def timeline(self) -> "Timeline":
        return self.query_one("#timeline")  # type: ignore[return-value]

    @property
    def messages(self) -> MessagesPane:
        return self.query_one(MessagesPane)

    # the workspace

    def commit(self, workspace: Workspace) -> None:
        """Makes a new workspace the one that is shown; what comes too late, while the screen is being closed, is dropped."""
        if is_open(self):
            self.workspace = workspace

    def watch_workspace(self, old: Workspace, new: Workspace) -> None:
        if new.opened is not None and (new.opened is not old.opened or new.steps is not old.steps):
            self._show_timeline(new)
        if new.call != old.call:
            self.timeline.cursor = new.call
        self._assemble_if_wanted(new)
        if new.tab != old.tab:
            self._open_pane(new.tab)
        self._show_pane(new)
        for line in self.query(PaintedLine):
            line.repaint()

    def _assemble_if_wanted(self, workspace: Workspace) -> None:
        """Once for each view of the session as it is, not at every key while it is being assembled."""
        wanted = (workspace.opened, workspace.view)
        missing = workspace.stale or (workspace.columns is None and not workspace.problem_of_view)
        if workspace.opened is not None and missing and wanted != self._assembled:
            self._assembled = wanted
            self.assemble()

    def _show_timeline(self, workspace: Workspace) -> None:
        opened = workspace.opened
        if opened is None:
            return
        from ..painting.chart_model import model_of

        model = model_of(workspace)
        if model != self.timeline.model:
            self.timeline.set_model(model)
        self.timeline.set_empty("no API call is recorded in this session")
        self.timeline.cursor = workspace.call

    def _open_pane(self, tab: str) -> None:
        panes = self.query_one("#panes")
        if not panes.query(f"#pane-{tab}"):
            module = import_module(f"..panes.{tab}", __package__)
            panes.mount(getattr(module, PANES[tab])(self))
        for pane in panes.children:
            pane.display = pane.id == f"pane-{tab}"

    def _show_pane(self, workspace: Workspace) -> None:
        for pane in self.query(f"#pane-{workspace.tab}"):
            if pane.is_mounted:
                self.show_in(pane)

    def show_in(self, pane: Widget) -> None:
        """Lets a pane draw its slice; a pane calls it when it is mounted. One that is being closed has lost its parts already."""
        if not is_open(self) or not pane.children:
            return
        pane.show(self.workspace)  # type: ignore[attr-defined]
        if self._typed_ahead:
            self.call_after_refresh(self._run_ahead)

    def _run_ahead(self) -> None:
        """Runs what was typed while the screen or a tab was being opened, in order."""
        waiting, self._typed_ahead = self._typed_ahead, []
        for name in waiting:
            self.run_command(name)

    # commands

    def action_command(self, name: str) -> None:
        self.run_command(name)

    def run_command(self, name: str) -> None:
        """Runs a command, or says why it cannot run now; one that was typed ahead waits until its place is there."""
        if not is_open(self):
            return
        panes = self.query(f"#pane-{self.workspace.tab}")
        command = BY_ID[name]
        if not self._complete_now.is_set() or not all(pane.is_mounted for pane in panes) or self._awaits_run(command):
            self._typed_ahead.append(name)
            return
        reason = command.why_not(self)
        if reason:
            self.notify(reason, severity="warning", timeout=4, markup=False)
        else:
            command.run(self)

    def on_key(self, event: Key) -> None:
        """A key of a tab that was typed before its pane had the focus: the pane that was left has lost it, or has it still."""
        focused, pane = self.focused, f"pane-{self.workspace.tab}"
        inside = [p.id for p in self.query_one("#panes").children if focused is not None and p in focused.ancestors]
        is_lost = focused is None or (bool(inside) and pane not in inside)
        command = next((c for c in COMMANDS if c.where == self.workspace.tab and event.key in c.key.split(",")), None)
        if is_lost and command is not None:
            event.stop()
            self.run_command(command.id)

    def _awaits_run(self, command: type[Command]) -> bool:
        """Whether a key is meant for a compaction whose ground is still being drawn."""
        steps = self.workspace.steps
        if command.where != STEPS or self.workspace.tab != STEPS or self.workspace.opened is None:
            return False
        if steps is None or steps.run is None:
            return steps is None or not steps.problem
        return bool(steps.job) and not steps.run.results

    def set_filter(self, text: str) -> None:
        """Filters the messages by what the user typed."""
        self.filter_text = text
        self.commit(moves.filtered(self.workspace, parse_filter(text)))

    def show_help(self) -> None:
        from .help import HelpScreen

        self.app.push_screen(HelpScreen())

    def open_another(self) -> None:
        self.leave(self.app.open_picker)

    def leave(self, then: Callable[[], object]) -> None:
        """Leaves the session, once the user agrees where something that was written here would be lost."""
        editing, steps, lost = self.workspace.editing, self.workspace.steps, []
        if editing is not None and editing.draft is not None and editing.draft.is_changed:
            lost.append("The notes have changes that are not saved (4 Notes, ^o saves them).")
        if steps is not None and steps.is_edited:
            lost.append("The summary was edited, and the compacted session is not written (5 Steps, x writes it).")
        if not lost:
            then()
            return
        from .agree import Agree

        question = f"{' '.join(lost)} Leave, and lose {'this' if len(lost) == 1 else 'both'}?"

        def answered(yes: bool | None) -> None:
            if yes:
                then()

        self.app.push_screen(Agree(question), answered)

    def open_path(self, path: str | None) -> None:
        """Opens another file in place of this one; None opens nothing."""
        if path is None:
            return
        from ...storage import open_session

        try:
            reader = open_session(path)
        except WorkbenchError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.app.open_reader(reader)

    # listening

    def on_timeline_moved(self, event: "Timeline.Moved") -> None:
        self.commit(moves.to_call(self.workspace, event.timeline.cursor))

    def on_timeline_chosen(self, event: "Timeline.Chosen") -> None:
        workspace = moves.to_call(self.workspace, event.index)
        self.commit(moves.to_tab(moves.to_array_of_call(workspace), MESSAGES))
        self.messages.list_of(0).focus()

    # jobs

    @work(thread=True, group="read", description="reading the file")
    def read(self) -> None:
        """Indexes the file and draws its figures, telling how far it is."""
        worker = get_current_worker()
        if self.reading.wait_for_first_rows():
            self.app.call_from_thread(self._show_rows)
        self._complete_now.wait()
        self.reading.run(
            lambda loading: self.app.call_from_thread(self._progress, loading),
            lambda opened: self.app.call_from_thread(self._opened, opened),
            lambda problem: self.app.call_from_thread(self._failed, problem),
            lambda: worker.is_cancelled,
        )

    def _progress(self, loading: Loading) -> None:
        if not is_open(self):
            return
        self._show_rows()
        self.commit(moves.progressed(self.workspace, loading))

    def _show_rows(self) -> None:
        """The records as far as they are indexed."""
        if is_open(self) and len(rows := self.reading.rows_so_far(palette_of(self.app))):
            self.messages.show_rows(rows)

    def _opened(self, opened: "Opened") -> None:
        for ignored in opened.settings.ignored:
            self.notify(ignored.sentence, severity="warning", markup=False)
        self.commit(moves.opened(self.workspace, opened))
        self._start_following()

    def _failed(self, problem: str) -> None:
        self.commit(moves.failed(self.workspace, problem))
        if is_open(self):
            self.timeline.set_empty("no calls: the file cannot be read")
        self._start_following()  # a session that has just begun is an empty file

    def _start_following(self) -> None:
        if self._timer is None:
            from ..following import Following

            self._following = Following(self.reading)
            self._timer = self.set_interval(LOOK_EVERY, self.look, name="follow")

    @work(thread=True, group="view", exclusive=True, description="assembling the array")
    def assemble(self) -> None:
        """Assembles the arrays of the view that is wanted now."""
        workspace = self.workspace
        move = self.reading.columns(workspace)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(lambda: self.commit(move(self.workspace)))

    def look(self) -> None:
        """Looks whether the file has changed since; a timer calls it four times a second."""
        following, workspace = self._following, self.workspace
        if following is None or self._catching_up or not is_open(self):
            return
        if following.has_news():
            self._catching_up = True
            self.follow()
        state = (following.is_live, following.is_gone)
        if state != (workspace.live, workspace.gone):
            if state[1] and not workspace.gone:
                self.notify("The file was removed; what was read of it is still shown.", severity="warning", markup=False)
            self.commit(moves.followed(workspace, *state))

    @work(thread=True, group="follow", exclusive=True, description="reading what was added")
    def follow(self) -> None:
        """Reads what was added to the file, or reads it anew when it was replaced or cut."""
        if self._following is None:
            return
        opened, words = self._following.catch_up()
        self.app.call_from_thread(self._followed, opened, words)

    def _followed(self, opened: "Opened | None", words: str) -> None:
        self._catching_up = False
        if words:
            self.notify(words, timeout=4, markup=False)
        if opened is not None:
            self.commit(moves.opened(self.workspace, opened))

    def on_unmount(self) -> None:
        self._complete_now.set()
        if self._timer is not None:
            self._timer.stop()
        self.reading.close()

    @property
    def shows_call(self) -> bool:
        """Whether the Messages tab shows the array of a call."""
        return self.workspace.view.point == CALL
