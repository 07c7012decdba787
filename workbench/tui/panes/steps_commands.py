"""What the keys of the Steps tab do: moves at once, and jobs for what takes time; questions go to screens of their own."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ...compaction.debugger import STAGE, Breakpoint, breakpoint_of
from ...errors import UsageError
from ...workspace import moves as screen_moves
from ...workspace import steps_moves as moves
from ...workspace.steps import ARRAYS, Steps
from ...workspace.steps_facts import request_shown, summary_of, summary_of_model
from ...workspace.steps_form import where_of
from ...workspace.steps_plan import Wish, first_wish, moved_to, point_shown
from ..painting.steps_request import request_document, request_json
from ..painting.steps_state import state_document
from ..widgets.line_list import LineList
from ..widgets.page_view import PageView
from .steps_job import Job
from .steps_worker import StepsWorker
from .steps_writing import StepsWriting


class StepsCommands(StepsWriting, StepsWorker):
    """The commands of the pane."""

    @property
    def stages(self) -> LineList:
        return self.query_one("#steps-flow", LineList)

    @property
    def arrays(self) -> LineList:
        return self.query_one("#steps-arrays", LineList)

    @property
    def page(self) -> PageView:
        return self.query_one("#steps-page", PageView)

    @property
    def message(self) -> PageView:
        return self.query_one("#steps-message", PageView)

    # where it starts, and the plan

    def begin(self) -> None:
        """The first run, at what the screen shows."""
        workspace = self._screen.workspace
        if workspace.steps is None and workspace.opened is not None:
            self._draw(first_wish(workspace), 0, anew=True)

    def _draw(self, wish: Wish, target: int | None, *, anew: bool = False, words: str = "reading where it starts") -> None:
        opened, old = self._screen.workspace.opened, self._steps or Steps(wish)
        if opened is not None:
            self._screen.commit(moves.begun(self._screen.workspace, wish))
            self._start(Job(opened, old, wish, target, anew, words=words))

    def restart(self) -> None:
        """From the first stage again."""
        steps = self._steps
        if steps is not None:
            self._dropping_edits(lambda: self._draw(steps.wish, 0, anew=True))

    def _dropping_edits(self, then: Callable[[], object]) -> None:
        """Goes on once the user agrees, where an edited summary would be lost."""
        from ..screens.agree import Agree

        if self._steps is None or not self._steps.is_edited:
            then()
            return

        def answered(agreed: bool | None) -> None:
            if agreed:
                then()

        question = "The summary that you edited may be lost by this, and it is in no file yet (x writes the session). Go on?"
        self.app.push_screen(Agree(question), answered)

    def start_here(self) -> None:
        """At the call or boundary that is selected now."""
        workspace = self._screen.workspace
        wish = self._steps.wish if self._steps is not None else first_wish(workspace)
        opened = workspace.opened
        if opened is not None:
            self._dropping_edits(lambda: self._draw(moved_to(point_shown(workspace), wish, opened), 0, anew=True))

    def ask_plan(self, wish: Wish | None = None) -> None:
        """The form; what it gives back is computed as far as the run had come."""
        from ..screens.plan_form import PlanForm

        workspace, steps = self._screen.workspace, self._steps
        opened = workspace.opened
        if opened is None:
            return
        shown = wish or (steps.wish if steps is not None else first_wish(workspace))

        def answered(wanted: Wish | None) -> None:
            if wanted is not None and (steps is None or wanted != steps.wish):
                words = "computing what the change reaches"
                self._dropping_edits(lambda: self._draw(wanted, self._standing(), words=words))

        offered = self._selected_uuid()
        self.app.push_screen(PlanForm(shown, opened, workspace.call, where_of(offered, opened) if offered else ""), answered)

    def _standing(self) -> int | None:
        """How many results there were; None where the run was over."""
        run = self._steps.run if self._steps is not None else None
        if run is None:
            return 0
        return None if run.is_over and not run.ahead else len(run.results)

    def cut_here(self) -> None:
        """The form with the selected message as pivot."""
        uuid, steps = self._selected_uuid(), self._steps
        if not uuid:
            self.notify("Select a message below, or on the Messages tab, to cut at it.", severity="warning", timeout=4)
            return
        wish = steps.wish if steps is not None else first_wish(self._screen.workspace)
        variant = wish.variant if wish.variant in ("from", "up-to") else "up-to"
        self.ask_plan(replace(wish, pivot=uuid, variant=variant))

    def _selected_uuid(self) -> str:
        """The row of the message that is selected here, else on the Messages tab; "" for one that was made by a run."""
        steps = self._steps
        item = steps.item if steps is not None and steps.focus == ARRAYS else None
        item = item or screen_moves.selected_item(self._screen.workspace)
        return item.row.uuid if item is not None and item.row is not None and item.row.place >= 0 else ""

    # going on and back

    def next_stage(self) -> None:
        """One stage further; over computed ones at once."""
        self._go(1)

    def go_on(self) -> None:
        """To the end or a breakpoint."""
        self._go(None)

    def _go(self, stages: int | None) -> None:
        steps = self._steps
        if steps is None or steps.run is None:
            return
        if stages == 1 and steps.run.ahead:
            self._screen.commit(moves.stepped_on(self._screen.workspace))
            return
        self.on_with(steps, None if stages is None else len(steps.run.results) + stages)

    def stage_back(self) -> None:
        """One back."""
        self._screen.commit(moves.stepped_back(self._screen.workspace))

    # looking

    def toggle_breakpoint(self) -> None:
        """At the selected stage."""
        node = self._steps.node if self._steps is not None else None
        if node is not None:
            self._screen.commit(moves.breakpoint_toggled(self._screen.workspace, Breakpoint(STAGE, node.name)))

    def ask_breakpoint(self) -> None:
        """At tokens, faults or a stage by name; one that is set already is taken off."""
        from ..screens.ask import Ask

        def answered(text: str | None) -> None:
            try:
                points = [breakpoint_of(word) for word in (text or "").split(",") if word.strip()]
            except UsageError as error:
                self.notify(str(error), severity="warning", timeout=6, markup=False)
                return
            for point in points:
                self._screen.commit(moves.breakpoint_toggled(self._screen.workspace, point))

        hint = "tokens<=20000 · tokens>=150000 · fault · a stage's name; what is set already is taken off"
        self.app.push_screen(Ask("Stop at", "", hint), answered)

    def toggle_diff(self) -> None:
        """All lines, or those that differ."""
        self._screen.commit(moves.diff_toggled(self._screen.workspace))

    def other_side(self) -> None:
        """Before or after."""
        self._screen.commit(moves.other_side(self._screen.workspace))

    def show_request(self) -> None:
        """The request of the selected stage, or the next one."""
        from ..screens.read_text import Form, ReadText

        request = request_shown(self._steps) if self._steps is not None else None
        if request is not None:
            forms = (Form("text", partial(request_document, request)), Form("JSON", partial(request_json, request)))
            self.app.push_screen(ReadText("The request as it goes out", forms))

    def show_state(self) -> None:
        """What the agent carries at this point."""
        from ..screens.read_text import Form, ReadText

        run = self._steps.run if self._steps is not None else None
        if run is not None:
            self.app.push_screen(ReadText("The state at this point", (Form("text", partial(state_document, run)),)))

    def edit_summary(self) -> None:
        """The summary in an editor; taken over, what follows from it is computed again."""
        from ..screens.edit_text import EditText

        steps = self._steps
        if steps is None or steps.run is None:
            return
        before = summary_of(steps.run)
        target = self._standing()

        def answered(text: str | None) -> None:
            if text is not None and steps.opened is not None:
                summary = None if text == summary_of_model(steps) else text
                words = "putting the summary in"
                self._start(Job(steps.opened, steps, steps.wish, target, edits=True, summary=summary, words=words))

        self.app.push_screen(EditText("The summary, as the next context will hold it", before), answered)

    def copy(self) -> None:
        """The explanation, or the message."""
        is_message = self._steps is not None and self._steps.focus == ARRAYS and self.has_class("-wide")
        (self.message if is_message else self.page).action_copy()

    def stop_or_return(self) -> None:
        """Ends the job; without one, back to the stages."""
        steps = self._steps
        if steps is not None and steps.job:
            self.stop()
        else:
            self._screen.commit(moves.to_flow(self._screen.workspace))
            self.stages.focus()
