"""The floor of typing: a Textual app with an empty editor and nothing else. No editor built on Textual answers sooner."""

from textual.app import App, ComposeResult
from textual.widgets import Static, TextArea

SHOWN = "Nothing here yet"


class EmptyEditor(App[None]):
    def compose(self) -> ComposeResult:
        yield Static(SHOWN)
        yield TextArea("", soft_wrap=True)


if __name__ == "__main__":
    EmptyEditor().run()
