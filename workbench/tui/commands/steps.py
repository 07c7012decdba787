"""The commands of the Steps tab: a compaction gone through like a program in a debugger."""

from typing import TYPE_CHECKING

from ...workspace.state import STEPS
from .session import NeedsSession, NextForm
from .tabs import OnTab

if TYPE_CHECKING:
    from ...workspace.steps import Steps
    from ..panes.steps import StepsPane
    from ..screens.session import SessionScreen


def _pane(screen: "SessionScreen") -> "StepsPane":
    from ..panes.steps import StepsPane

    return screen.query_one(StepsPane)


class ShowSteps(NeedsSession):
    """A compaction simulated stage by stage, from the selected call or boundary on"""

    id, key, label, name = "tab.steps", "5", "Steps", "Simulate a compaction, stage by stage"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        from ...workspace import moves

        if screen.workspace.tab == STEPS:
            _pane(screen).stages.focus()
        screen.commit(moves.to_tab(screen.workspace, STEPS))


class NeedsIdle(OnTab):
    """A command that cannot run while something is being computed."""

    where = STEPS

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        reason = super().why_not(screen)
        steps = screen.workspace.steps
        if reason or steps is None or not steps.job:
            return reason
        return f"Not while something is computed ({steps.job}); Esc stops it."


class NeedsRun(NeedsIdle):
    """A command that needs a run whose ground is drawn."""

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        reason = super().why_not(screen)
        if reason:
            return reason
        steps = screen.workspace.steps
        if steps is None or steps.run is None:
            return steps.problem if steps is not None and steps.problem else "Where it starts is still being read."
        return cls.why_not_with(steps)

    @classmethod
    def why_not_with(cls, _: "Steps") -> str:
        """Why not with this run; "" when it can."""
        return ""


class NeedsMore(NeedsRun):
    """A command that goes on."""

    @classmethod
    def why_not_with(cls, steps: "Steps") -> str:
        if steps.run is not None and steps.run.is_over and not steps.run.ahead:
            return f"The run is over: {steps.run.outcome}. p goes back, R starts again, v changes the plan."
        return ""


class NextStage(NeedsMore):
    """The next stage"""

    id, key, label, name, footer = "steps.next", "n", "next", "Steps: next stage", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).next_stage()


class StageBack(NeedsRun):
    """One stage back; nothing is computed again"""

    id, key, label, name, footer = "steps.back", "p", "back", "Steps: one stage back", True

    @classmethod
    def why_not_with(cls, steps: "Steps") -> str:
        return "" if steps.run is not None and steps.run.results else "This is the beginning."

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).stage_back()


class Continue(NeedsMore):
    """On to the end, or to a breakpoint"""

    id, key, label, name, footer = "steps.continue", "c", "continue", "Steps: continue to the end or a breakpoint", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).go_on()


class ToggleBreakpoint(NeedsRun):
    """A breakpoint before the selected stage, on or off"""

    id, key, label, name, footer = "steps.breakpoint", "b", "breakpoint", "Steps: breakpoint at the selected stage", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).toggle_breakpoint()


class MoreBreakpoints(NeedsRun):
    """Breakpoints at a number of tokens, or at any fault"""

    id, key, label, name = "steps.breakpoints", "B", "breakpoints…", "Steps: breakpoints at tokens or faults"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).ask_breakpoint()


class PlanForm(NeedsIdle):
    """Variant, trigger, where it starts and cuts, instructions, summarizer, profile, and every setting"""

    id, key, label, name, footer = "steps.plan", "v", "plan…", "Steps: variant, pivot, summarizer, settings", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).ask_plan()


class EditSummary(NeedsRun):
    """Edit the summary; only what follows from it is computed again"""

    id, key, label, name, footer = "steps.edit", "e", "edit summary", "Steps: edit the summary", True

    @classmethod
    def why_not_with(cls, steps: "Steps") -> str:
        from ...workspace.steps_facts import why_no_edit

        return why_no_edit(steps)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).edit_summary()


class ShowRequest(NeedsRun):
    """The summary request exactly as it goes out"""

    id, key, label, name, footer = "steps.request", "Q", "request", "Steps: show the summary request", True

    @classmethod
    def why_not_with(cls, steps: "Steps") -> str:
        from ...workspace.steps_facts import request_shown

        return "" if request_shown(steps) is not None else "There is no request yet: go on until `ask` comes next."

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).show_request()


class WriteCompacted(NeedsRun):
    """Write the compacted session to a file of its own, from which the agent resumes; the session itself is never changed"""

    id, key, label, name, footer = "steps.write", "x", "write", "Steps: write the compacted session…", True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        return super().why_not(screen) or _pane(screen).why_no_copy()

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).ask_copy()


class ShowState(NeedsRun):
    """What the agent carries from turn to turn: counters, files read, skills, plan, notes"""

    id, key, label, name, footer = "steps.state", "s", "state", "Steps: the state at this point", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).show_state()


class ShowDifferences(NeedsRun):
    """Only what the stage changed, or before and after whole"""

    id, key, label, name, footer = "steps.diff", "d", "diff", "Steps: only what differs", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).toggle_diff()


class BeforeAfter(NeedsRun):
    """The selected message before the stage, or after it"""

    id, key, label, name = "steps.side", "left,right", "before/after", "Steps: the message before or after"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).other_side()


class CutHere(NeedsIdle):
    """Cut at the selected message: opens the plan with it as pivot"""

    id, key, label, name = "steps.pivot", "m", "cut here", "Steps: cut at the selected message"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).cut_here()


class StartHere(NeedsIdle):
    """Start at the call under the timeline's cursor, or at the boundary that is shown"""

    id, key, label, name = "steps.here", "full_stop", "start here", "Steps: start at the selected call or boundary"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).start_here()


class Restart(NeedsIdle):
    """From the first stage again, with the same plan"""

    id, key, label, name, footer = "steps.restart", "R", "restart", "Steps: restart", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).restart()


class StepsForm(NextForm):
    """The selected message as text, as JSON, as the raw record, in turn"""

    id, key, label, name = "steps.form", "f", "text/json", "Steps: message as text, JSON or raw record"
    where, footer = STEPS, False


class CopyStage(OnTab):
    """Copy the explanation of the stage, or the selected message"""

    id, key, label, name, where = "steps.copy", "y", "copy", "Steps: copy the explanation or message", STEPS

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).copy()


class StopOrReturn(OnTab):
    """Stop what is being computed; otherwise back to the list of stages"""

    id, key, label, name, where = "steps.leave", "escape", "stop", "Steps: stop, or back to the stages", STEPS

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        _pane(screen).stop_or_return()


COMMANDS: tuple[type[NeedsSession], ...] = (
    NextStage, StageBack, Continue, PlanForm, EditSummary, WriteCompacted, ToggleBreakpoint, ShowDifferences, ShowRequest,
    ShowState, Restart,
    MoreBreakpoints, BeforeAfter, CutHere, StartHere, StepsForm, CopyStage, StopOrReturn,
)  # fmt: skip
