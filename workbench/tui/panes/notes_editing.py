"""The text in the editor of the notes: put there, measured, gone about in. Nothing here touches the disk."""

from typing import TYPE_CHECKING

from textual import work
from textual.widget import Widget
from textual.widgets import TextArea
from textual.worker import get_current_worker

from ...workspace import notes_edit as edits
from ...workspace.notes_edit import SUMMARY, Draft, draft_of
from ...workspace.notes_text import editable
from ...workspace.notes_view import NotesView
from ..commands.session import BackToNow
from ..widgets.line_list import LineList
from ..widgets.page_view import PageView

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class NotesEditing(Widget):
    """What the keys do with the text; the editor holds it, the workspace what was made of it."""

    _screen: "SessionScreen"

    @property
    def area(self) -> TextArea:
        return self.query_one("#notes-editor", TextArea)

    @property
    def sections(self) -> LineList:
        return self.query_one("#notes-sections", LineList)

    @property
    def page(self) -> PageView:
        return self.query_one("#notes-text", PageView)

    @property
    def _draft(self) -> Draft | None:
        return edits.editing_of(self._screen.workspace).draft

    # the text

    def put(self, text: str) -> None:
        """Another text in the editor, as an edit that can be undone; the cursor stays where it was, as far as that exists."""
        area = self.area
        if area.text == text:
            return
        row, column = area.cursor_location
        area.replace(text, (0, 0), area.document.end, maintain_selection_offset=False)
        last = min(row, area.document.line_count - 1)
        area.move_cursor((last, min(column, len(area.document.get_line(last)))))

    def load(self) -> None:
        """The draft as the editor's first text: nothing before it can be undone."""
        draft = self._draft
        if draft is not None:
            self.area.load_text(draft.shown)
            self.call_after_refresh(self.show_section, self._screen.workspace.section)

    def draft(self) -> None:
        """Measures what stands in the editor."""
        draft, view = self._draft, self._screen.workspace.notes
        if draft is not None and view is not None and self.area.text != draft.shown:
            self.measure(draft, self.area.text, view)

    @work(thread=True, group="notes-draft", exclusive=True, description="measuring the notes")
    def measure(self, old: Draft, shown: str, view: NotesView) -> None:
        draft = draft_of(old.saved, shown, view.budgets, old.frame)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(lambda: self._screen.commit(edits.drafted(self._screen.workspace, draft)))

    def current(self) -> Draft | None:
        """The draft of what stands in the editor this moment."""
        draft, view = self._draft, self._screen.workspace.notes
        if draft is None or view is None:
            return None
        return draft if draft.shown == self.area.text else draft_of(draft.saved, self.area.text, view.budgets, draft.frame)

    # going about

    def focus_first(self) -> None:
        """The list of sections; without notes, the page."""
        if self.display:
            (self.page if self._draft is None else self.sections).focus()

    def show_section(self, section: int) -> None:
        """Scrolls the editor to a section."""
        draft = self._draft
        if draft is not None and not self.area.has_focus:
            self.area.move_cursor((min(draft.line_of(section), self.area.document.line_count - 1), 0))
            self.area.scroll_to(
                y=max(0, self.area.wrapped_document.location_to_offset(self.area.cursor_location).y), animate=False
            )

    def edit(self) -> None:
        """Into the editor, at the selected section; without notes, some are begun from the template."""
        if self._draft is None:
            self._screen.commit(edits.begun(self._screen.workspace))
            self.load()
        draft = self._draft
        if draft is not None:
            line = min(draft.text_line_of(self._screen.workspace.section), self.area.document.line_count - 1)
            self.area.move_cursor((line, 0))
        self.call_after_refresh(self.area.focus)  # begun this moment, the editor is not on the screen yet

    def leave(self) -> None:
        """From the editor or the page to the sections, from another page to the summary, else as everywhere."""
        workspace = self._screen.workspace
        if not self.sections.has_focus and self._draft is not None:
            self.sections.focus()
        elif edits.editing_of(workspace).page != SUMMARY:
            self._screen.commit(edits.to_page(workspace, SUMMARY))
        else:
            BackToNow.run(self._screen)

    def to_page(self, page: str) -> None:
        self._screen.commit(edits.to_page(self._screen.workspace, page))

    def undo(self) -> None:
        self.area.undo()

    def redo(self) -> None:
        self.area.redo()

    def copy(self) -> None:
        """The section that is selected, or the whole."""
        draft, section = self.current(), self._screen.workspace.section
        if draft is not None:
            sections = draft.notes.sections
            self.app.copy_to_clipboard(editable(sections[section].text if section < len(sections) else draft.text))
