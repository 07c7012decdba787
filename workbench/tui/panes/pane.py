"""What the panes of all tabs do alike: draw when they are mounted, take the focus when they come, run their keys."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.containers import Vertical

from ..screens.closing import is_open
from ..widgets.painted_line import PaintedLine

if TYPE_CHECKING:
    from ..screens.session import SessionScreen


class Pane(Vertical):
    """A tab's pane. `first` is the selector of the widget that has the focus when the tab is opened."""

    first: ClassVar[str]

    def __init__(self, screen: "SessionScreen", tab: str) -> None:
        super().__init__(id=f"pane-{tab}")
        self._screen = screen

    def repaint_lines(self) -> None:
        """Titles are painted from the workspace each time."""
        for line in self.query(PaintedLine):
            line.repaint()

    def on_mount(self) -> None:
        self._screen.show_in(self)

    def on_show(self) -> None:
        for widget in self.query(self.first):  # none while the pane is being closed
            widget.focus()

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """What waits for the layout is left out when the screen was closed meanwhile."""
        return super().call_after_refresh(lambda: callback(*args, **kwargs) if is_open(self._screen) else None)

    def action_command(self, name: str) -> None:
        self._screen.run_command(name)
