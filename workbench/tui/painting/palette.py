"""The colours of one theme by role, so that a row can be described in words ("bold user") long before it is drawn.

A role is what a colour means: who speaks (user, assistant, tool, system), the fate of a message (kept, summarised,
dropped, cleared, added), how a number is known (exact, estimated, lower-bound, unknown), and the parts of the screen.
`workbench.tui.theme` lists the roles and gives them their colours.
"""

from dataclasses import dataclass, field

from rich.style import Style

NO_COLOUR = "default"


@dataclass(frozen=True, slots=True)
class Palette:
    """Pairs of role and colour; a colour is `#rrggbb` or a name that rich knows."""

    colours: tuple[tuple[str, str], ...]
    _styles: dict[str, Style] = field(default_factory=dict, init=False, repr=False, compare=False)

    def colour(self, role: str) -> str:
        """The colour of a role; the terminal's own for a role that this palette does not have."""
        return next((colour for name, colour in self.colours if name == role), NO_COLOUR)

    def style(self, words: str) -> Style:
        """The style for words such as `bold tool` or `muted on panel`: roles become colours, the rest is rich's language.

        Raises rich.errors.StyleSyntaxError for a word that is neither.
        """
        if words not in self._styles:
            colours = dict(self.colours)
            self._styles[words] = Style.parse(" ".join(colours.get(word, word) for word in words.split()))
        return self._styles[words]

    def faded(self, role: str, share: float) -> str:
        """The colour of a role with `share` (0 to 1) of it left over the background."""
        return mix(self.colour("background"), self.colour(role), share)


def mix(ground: str, colour: str, share: float) -> str:
    """`share` (0 to 1) of `colour` over `ground`, both `#rrggbb`; any other kind of colour is given back as it is."""
    if not (ground.startswith("#") and colour.startswith("#")):
        return colour
    pairs = [(int(ground[i : i + 2], 16), int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(below + (above - below) * share):02x}" for below, above in pairs)
