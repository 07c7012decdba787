"""Every key of the picker."""

from ..commands.command import key_words
from ..commands.picker import COMMANDS
from ..widgets.line_list import LineList
from .help import Entry, HelpScreen, of_widget


class PickerHelp(HelpScreen):
    """The keys of the picker, then those of lists; closed as the other help is."""

    def entries(self) -> list[Entry]:
        return [("", "Picker"), *((key_words(c.key), c.tooltip()) for c in COMMANDS), *of_widget("Lists", LineList)]
