"""Who answers what a simulated compaction asks: the summarizer of the plan, or the disk; blocks, so a worker calls it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...answering import claude, files_reply, summarizer_of
from ...compaction.request import ERROR, FILES, SUMMARY, Reply, Request
from ...compaction.run import Run
from ...errors import SessionNotFound, WriteRefused
from ...summarizers import CLAUDE, COMMAND, Choice, read_choice
from ...transcript.session import Session
from ...workspace.steps_plan import Wish

if TYPE_CHECKING:
    from ...summarizers.retrying import Retrying


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears of a model's answer while it comes; called from the worker's thread."""

    text: Callable[[str], None]
    retry: Callable[[str], None]
    cancelled: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers for one job. `agreed` is the key of the one costly request that the user has agreed to; "" for none."""

    session: Session
    wish: Wish
    listener: Listener
    agreed: str = ""

    def __call__(self, run: Run, request: Request) -> Reply | None:
        """The reply; None where the user has to agree first."""
        if request.kind == FILES:
            return files_reply(request)
        if request.kind != SUMMARY:
            return Reply()
        choice = read_choice(self.wish.summarizer)
        if choice.about.costs and request.key != self.agreed:
            return None
        return self._summary(choice, run, request)

    def _summary(self, choice: Choice, run: Run, request: Request) -> Reply:
        if choice.name == CLAUDE:
            return self._claude(request)
        if choice.name == COMMAND:
            from ...summarizers.command import command_summarizer

            return command_summarizer(choice.argument, cancelled=self.listener.cancelled)(request)
        ask = summarizer_of(self.session, choice, line=run.ground.line, variant=run.plan.variant, model="")
        try:
            return ask(request)
        except SessionNotFound as error:
            return Reply(ERROR, error=str(error))

    def _claude(self, request: Request) -> Reply:
        from ...summarizers.outcome_log import remember
        from ...summarizers.outcomes import asked

        retries = 0

        def retrying(told: "Retrying") -> None:
            nonlocal retries
            retries = told.number
            self.listener.retry(told.sentence)

        model = model_of(self.wish, request)
        if not model:
            return Reply(ERROR, error="No model is known for this session; name one in the plan (v).")
        reply = claude(model).ask(request, self.listener.text, self.listener.cancelled, retrying)
        with suppress(WriteRefused):  # a full disk is no reason to lose a summary that was paid for
            remember(asked(model, reply, at=datetime.now(UTC).isoformat(timespec="seconds"), retries=retries))
        return reply


def model_of(wish: Wish, request: Request) -> str:
    """The model that is asked: the one named, else the session's."""
    return wish.model or request.model


def question_of(wish: Wish, request: Request) -> str:
    """What the user agrees to before a costly request goes out: who is asked, how much, what it costs."""
    choice = read_choice(wish.summarizer)
    if choice.name != CLAUDE:
        return f"Run `{choice.argument}` with the conversation on its standard input ({request.purpose})?"
    from ...summarizers.costs import estimate_cost

    cost = estimate_cost(request, model_of(wish, request))
    return f"Send the conversation to the Messages API ({request.purpose})? {cost.sentence}"
