"""The commands of the session screen that hold on every tab, and those of the Messages tab."""

from typing import TYPE_CHECKING

from ...workspace import moves
from ...workspace.figures import is_counting
from ...workspace.state import BOUNDARY, DOCTOR, MESSAGES, NOTES, PAIRS
from ...workspace.view import BOUNDARY as AROUND
from ...workspace.view import NOW, View
from .command import Command

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

STILL_READING = "The file is still being read."


class NeedsSession(Command):
    """A command that needs the session read."""

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        if screen.workspace.opened is None:
            return screen.workspace.problem or STILL_READING
        return ""


class ShowMessages(Command):
    """The messages: now, before a call, or before and after a compaction"""

    id, key, label, name = "tab.messages", "1", "Messages", "Show the messages"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(screen.workspace, MESSAGES))


class ShowPairs(Command):
    """Calls and their results, with what has no partner"""

    id, key, label, name = "tab.pairs", "2", "Pairs", "Show calls and results"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(screen.workspace, PAIRS))


class ShowBoundary(Command):
    """Every field of a compaction's record, explained"""

    id, key, label, name = "tab.boundary", "3", "Boundary", "Show a compaction's record"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(screen.workspace, BOUNDARY))


class ShowNotes(Command):
    """The session notes, with budgets"""

    id, key, label, name = "tab.notes", "4", "Notes", "Show the session notes"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(screen.workspace, NOTES))


class ShowDoctor(Command):
    """What is wrong with the session, and the repair"""

    id, key, label, name = "tab.doctor", "7", "Doctor", "Show what is wrong"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(screen.workspace, DOCTOR))


class GoToTimeline(Command):
    """Move along the calls: arrows, [ and ] to compactions, + and - to zoom, Enter shows the array of a call"""

    id, key, label, name, footer = "timeline.focus", "t", "timeline", "Go to the timeline", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.set_focus(screen.timeline)  # at once: the next key is meant for it


class NextBoundary(NeedsSession):
    """Before and after the next compaction; behind the last one, back to now"""

    id, key, label, name, footer = "boundary.next", "b", "boundary", "Next compaction: before and after", True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        opened = screen.workspace.opened
        if opened is not None and not opened.inspection.boundaries:
            return "This session has no compaction."
        return super().why_not(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_boundary(screen.workspace, 1))


class PreviousBoundary(NextBoundary):
    """Before and after the previous compaction"""

    id, key, label, name, footer = "boundary.previous", "B", "previous boundary", "Previous compaction: before and after", False

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_boundary(screen.workspace, -1))


class ArrayOfCall(NeedsSession):
    """The messages that were sent for the call under the timeline's cursor"""

    id, key, label, name, footer = "call.array", "a", "at call", "Show the array of the selected call", True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        opened = screen.workspace.opened
        if opened is not None and not opened.timeline.points:
            return "No API call is recorded in this session."
        return super().why_not(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.to_tab(moves.to_array_of_call(screen.workspace), MESSAGES))


class BackToNow(NeedsSession):
    """Clear the filter; then back to the array as the agent would load it now; then stop counting tokens"""

    id, key, label, name = "view.now", "escape", "now", "Back to the array of now"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        workspace = screen.workspace
        if workspace.filter.is_on:
            screen.commit(moves.filtered(workspace, type(workspace.filter)()))
        elif workspace.view != View(NOW):
            screen.commit(moves.to_view(workspace, View(NOW)))
        elif is_counting(workspace):
            screen.messages.stop_counting()


class NextReading(NeedsSession):
    """The array as loaded, as sent (with the agent's repairs), as recorded, in turn"""

    id, key, label, name, where, footer = "view.reading", "r", "loaded/sent", "As loaded, as sent, as recorded", MESSAGES, True

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        if screen.workspace.view.point == AROUND:
            return "Around a compaction both sides are shown as loaded; Esc goes back to now."
        return super().why_not(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.next_reading(screen.workspace))


class NextForm(NeedsSession):
    """The selected message as text, as JSON, as the raw record, in turn"""

    id, key, label, name, where, footer = "message.form", "v", "text/json", "Message as text, JSON or raw record", MESSAGES, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.next_form(screen.workspace))


class OtherSide(NeedsSession):
    """From before to after a compaction and back"""

    id, key, label, name, where = "view.side", "s", "other side", "Go to the other side", MESSAGES

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        columns = screen.workspace.columns
        if columns is not None and columns.right is None:
            return "There is one array here; b shows before and after a compaction."
        return super().why_not(screen)

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.messages.focus_side(1 - screen.workspace.side)


class Search(NeedsSession):
    """Filter the messages: words to find, role:user, tool:Read, size:2000"""

    id, key, label, name, where, footer = "messages.filter", "slash", "search", "Search and filter the messages", MESSAGES, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.messages.ask_filter()


class BySize(NeedsSession):
    """The largest message first, or in the order of the array"""

    id, key, label, name, where, footer = "messages.order", "S", "by size", "Messages by size, the largest first", MESSAGES, True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.commit(moves.other_order(screen.workspace))


class CopyMessage(NeedsSession):
    """Copy the selected message to the clipboard"""

    id, key, label, name, where = "message.copy", "y", "copy", "Copy the selected message", MESSAGES

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.messages.copy()


class Help(Command):
    """Every key, by tab"""

    id, key, label, name, footer = "app.help", "question_mark,f1", "help", "Help: every key", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.show_help()


class Screenshot(Command):
    """Save a picture of the screen as SVG"""

    id, key, label, name = "app.screenshot", "ctrl+s", "screenshot", "Save a picture of the screen"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.app.action_screenshot(path=".")  # not every machine has a folder for downloads


class ChangeTheme(Command):
    """Choose another theme"""

    id, key, label, name = "app.theme", "T", "theme", "Choose another theme"

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.app.action_change_theme()


class OpenAnother(Command):
    """Open another session"""

    id, key, label, name, footer = "app.open", "o", "open", "Open another session", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.open_another()


class Quit(Command):
    """Leave the workbench"""

    id, key, label, name, footer = "app.quit", "q,ctrl+q", "quit", "Quit", True

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        screen.leave(screen.app.exit)
