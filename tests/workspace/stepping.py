"""Simulated compactions of the samples, taken on without a screen."""

from workbench.compaction.debugger import advance
from workbench.compaction.request import Reply, Request
from workbench.compaction.run import Run, start
from workbench.evidence.grounding import ground_at
from workbench.workspace.opened import Opened
from workbench.workspace.state import Workspace
from workbench.workspace.steps_moves import begun, ran
from workbench.workspace.steps_plan import BOUNDARY, Point, Wish, line_of, plan_for, settings_for

AT_FIRST_BOUNDARY = Wish(Point(BOUNDARY, 0))
SUMMARY = Reply(text="<summary>All of it, in short.</summary>")


def drawn(opened: Opened, wish: Wish = AT_FIRST_BOUNDARY) -> Run:
    """A run before its first stage."""
    settings = settings_for(wish, opened.settings, opened.session.index.last_version)
    plan = plan_for(wish, settings)
    return start(ground_at(opened.session, plan.settings, line=line_of(wish.point, opened)), plan)


def taken(run: Run, target: int | None = None, reply: Reply = SUMMARY) -> Run:
    """The run with so many results, or at its end."""

    def ask(_run: Run, _request: Request) -> Reply:
        return reply

    return [run, *advance(run, target, ask)][-1]


def shown(opened: Opened, run: Run, wish: Wish = AT_FIRST_BOUNDARY) -> Workspace:
    """The screen with that run on it."""
    return ran(begun(Workspace("a session", opened=opened), wish), run, opened, wish)
