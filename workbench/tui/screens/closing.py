"""What comes too late: a key, a worker, a timer or a layout may call a screen that is being closed and has lost its parts."""

from collections.abc import Callable
from typing import Any, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

Answer = TypeVar("Answer")


def is_open(screen: Screen[Any]) -> bool:
    """Whether a screen can be drawn: what is being removed is no longer displayed."""
    return screen.is_attached and screen.display


class ClosesOnce(Screen[Answer]):
    """A screen that gives one answer: of keys that were typed at once, only the first closes it, and none what is below."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Closes the screen with an answer, unless it is closed already."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """What waits for the layout is left out when the screen was closed meanwhile."""
        return super().call_after_refresh(lambda: callback(*args, **kwargs) if is_open(self) else None)


class Over(ClosesOnce[Answer], ModalScreen[Answer]):
    """A screen over another one. `escape` and whatever else closes it run `leave`."""

    def action_leave(self) -> None:
        """Closes it without an answer."""
        self.dismiss(None)
