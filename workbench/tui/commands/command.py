"""A command: a key, a label, and why it cannot run just now. Its docstring is its help."""

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

if TYPE_CHECKING:
    from ..screens.session import SessionScreen

EVERYWHERE = "everywhere"


class Command:
    """One thing the user can do on the session screen.

    id     stable: the user's keymap overrides go by it
    key    keys as Textual spells them, comma separated
    label  for the footer, a word or two; `name` for the palette, a phrase
    where  the tab it belongs to, or `everywhere`
    footer whether the footer offers it
    """

    id: ClassVar[str]
    key: ClassVar[str]
    label: ClassVar[str]
    name: ClassVar[str]
    where: ClassVar[str] = EVERYWHERE
    footer: ClassVar[bool] = False

    @classmethod
    def tooltip(cls) -> str:
        """The help text: the docstring's first line."""
        return (cls.__doc__ or cls.name).strip().split("\n")[0]

    @classmethod
    def binding(cls) -> Binding:
        return Binding(cls.key, f"screen.command('{cls.id}')", cls.label, id=cls.id, show=cls.footer, tooltip=cls.tooltip())

    @classmethod
    def why_not(cls, screen: "SessionScreen") -> str:
        """Why it cannot run now, as a sentence; "" when it can."""
        return ""

    @classmethod
    def run(cls, screen: "SessionScreen") -> None:
        """Does it; only called when `why_not` is silent."""
        raise AssertionError(f"{cls.__name__} does nothing")


def key_words(key: str) -> str:
    """A binding's keys as people read them: `ctrl+p` is ^p, `question_mark` is ?."""
    spelled = {
        "question_mark": "?",
        "slash": "/",
        "escape": "esc",
        "left_square_bracket": "[",
        "right_square_bracket": "]",
        "plus": "+",
        "minus": "-",
        "full_stop": ".",
        "comma": ",",
        "up": "↑",
        "down": "↓",
        "left": "←",
        "right": "→",
    }
    words = []
    for one in key.split(","):
        *modifiers, last = one.split("+")
        last = spelled.get(last, last)
        words.append("".join("^" if m == "ctrl" else f"{m}+" for m in modifiers) + last)
    return " ".join(words)
