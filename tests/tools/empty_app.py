"""The floor of a first paint: a Textual app with one line of text. Nothing built on Textual appears sooner."""

from textual.app import App, ComposeResult
from textual.widgets import Static

SHOWN = "Nothing here yet"


class EmptyApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(SHOWN)


if __name__ == "__main__":
    EmptyApp().run()
