"""One bare application for widgets that know nothing of sessions."""

import pytest
from textual.app import App, ComposeResult
from textual.widget import Widget

from workbench.tui.theme import THEMES, role_variables


class Stage(App[None]):
    """Shows one widget under the workbench's own theme."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self._shown = widget
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "workbench"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return role_variables(self.current_theme)

    def compose(self) -> ComposeResult:
        yield self._shown


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> type[Stage]:
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    return Stage
