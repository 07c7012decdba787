"""The worker behind the Steps tab: computes a job in a thread, shows each stage when it is done, asks before it costs."""

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from ...compaction.result import StageResult
from ...compaction.run import COMPACTED, Run
from ...conversation.figure import Figure
from ...errors import WorkbenchError
from ...evidence.expected import expected_after
from ...workspace import steps_moves as moves
from ...workspace.steps import Steps
from ..notes_file import draft_file
from .steps_asking import Asker, Listener, question_of
from .steps_job import Job, runs_of

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

TELL_EVERY = 0.1  # seconds between two looks at what a model has answered so far


class StepsWorker(Widget):
    """What computes; it never touches a list, it commits moves."""

    _screen: "SessionScreen"
    _job: Worker[None] | None = None

    @property
    def _steps(self) -> Steps | None:
        return self._screen.workspace.steps

    def on_with(self, steps: Steps, target: int | None, agreed: str = "") -> None:
        """Takes the run on to so many results; `agreed` is the key of a costly request that may be asked."""
        opened = steps.opened or self._screen.workspace.opened
        if opened is not None:
            self._start(Job(opened, steps, steps.wish, target), agreed)

    def stop(self) -> None:
        """Ends the job; what it had shown stays."""
        if self._job is not None:
            self._job.cancel()
        self._screen.commit(moves.idle(self._screen.workspace, "Stopped; nothing was changed. n goes on from here."))

    def _start(self, job: Job, agreed: str = "") -> None:
        self._screen.commit(moves.working(self._screen.workspace, job.words))
        self._job = self.compute(replace(job, notes=draft_file(self._screen.workspace)), agreed)

    @work(thread=True, group="steps", exclusive=True, description="simulating the compaction")
    def compute(self, job: Job, agreed: str) -> None:
        """Draws the run and takes it on, showing each stage when it is done."""
        worker = get_current_worker()
        post = self.app.call_from_thread
        asker = Asker(job.opened.session, job.wish, self._listener(worker), agreed)
        run: Run | None = None
        try:
            for run in runs_of(job, asker):
                if worker.is_cancelled:
                    return
                post(self._came, worker, run, job)
        except WorkbenchError as error:
            post(self._ended, worker, job, None, str(error))
            return
        if run is not None and run.outcome == COMPACTED:
            post(self._expects, worker, run.results[-1], expected_after(job.opened.session, run.ground, run.work.sent))
        post(self._ended, worker, job, run, "")

    def _listener(self, worker: Worker[None]) -> Listener:
        heard: list[str] = []
        told = 0.0

        def text(piece: str) -> None:
            nonlocal told
            heard.append(piece)
            if monotonic() - told >= TELL_EVERY:
                told = monotonic()
                self.app.call_from_thread(self._hears, worker, "the model is answering", "".join(heard))

        def retry(sentence: str) -> None:
            heard.clear()
            self.app.call_from_thread(self._hears, worker, sentence, "")

        return Listener(text, retry, lambda: worker.is_cancelled)

    def _hears(self, worker: Worker[None], words: str, heard: str) -> None:
        if not worker.is_cancelled:
            self._screen.commit(moves.working(self._screen.workspace, words, heard))

    def _came(self, worker: Worker[None], run: Run, job: Job) -> None:
        if not worker.is_cancelled:
            self._screen.commit(moves.ran(self._screen.workspace, run, job.opened, job.wish))

    def _expects(self, worker: Worker[None], result: StageResult, figure: Figure) -> None:
        if not worker.is_cancelled:
            self._screen.commit(moves.expects(self._screen.workspace, result, figure))

    def _ended(self, worker: Worker[None], job: Job, run: Run | None, problem: str) -> None:
        if worker.is_cancelled:
            return
        self._screen.commit(moves.idle(self._screen.workspace, problem))
        if run is not None and run.waiting is not None:
            self._ask_leave(job, run)

    def _ask_leave(self, job: Job, run: Run) -> None:
        """Before anything is sent or run, the user sees what it costs."""
        from ..screens.agree import Agree

        request, steps = run.waiting, self._steps
        if request is None or steps is None:
            return

        def answered(agreed: bool | None) -> None:
            if agreed and self._steps is not None:
                self.on_with(self._steps, job.target, request.key)

        self.app.push_screen(Agree(question_of(job.wish, request)), answered)
