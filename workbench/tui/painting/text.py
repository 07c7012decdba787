"""Text from a session is untrusted: this module makes it safe to show and measures it in terminal cells.

Everything a widget draws passes through `visible` first. Its result holds no character that moves the terminal's
cursor, reorders a line, hides text or joins two glyphs into one, so the width of a text is the sum of the widths of its
characters and can be cut anywhere.
"""

import re
import unicodedata
from collections.abc import Iterable

from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment

TAB_CELLS = 4
ELLIPSIS = "…"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LINE_SIGN = "\N{SYMBOL FOR NEWLINE}"

_VARIATION = re.compile("(?<![\ufe0e\ufe0f])[\ufe0e\ufe0f]")
_EMOJI_JOINER = re.compile("(?<=[\u2600-\u27bf\U0001f000-\U0001faff])\u200d(?=[\u2600-\u27bf\U0001f000-\U0001faff])")
_UNSAFE_RANGES = (
    (0x80, 0x9F),  # the second set of control characters; a terminal may read U+009B as ESC [
    (0xAD, 0xAD),  # soft hyphen: drawn by some terminals, not by others
    (0x61C, 0x61C),
    (0x115F, 0x1160),  # letters that are blank
    (0x180E, 0x180E),
    (0x200B, 0x200F),  # zero width, and the marks of direction
    (0x202A, 0x202E),  # overrides of direction: the text would read in another order than it is sent
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),  # halves of a pair; they cannot be encoded
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE01EF),  # tags and variation selectors: a whole text can hide in them
)


def _glyphs() -> dict[int, str]:
    glyphs = {code: REPLACEMENT for first, last in _UNSAFE_RANGES for code in range(first, last + 1)}
    glyphs |= {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)}
    glyphs |= {0x7F: "\N{SYMBOL FOR DELETE}", 0x85: LINE_SIGN, 0x2028: LINE_SIGN, 0x2029: LINE_SIGN}
    return glyphs


_GLYPHS = _glyphs()
_BELOW = "".join(f"{chr(first)}-{chr(last)}" for first, last in _UNSAFE_RANGES if last <= 0xFFFF)
# Two expressions, because one over both planes loses the bitmap that makes a search of megabytes cost milliseconds.
_UNSAFE = re.compile(f"[\0-\x08\x0b-\x1f\x7f\u2028\u2029{_BELOW}]")
_UNSAFE_BEYOND = re.compile("[\U000e0000-\U000e01ef]")


def visible(text: str, *, newlines: bool = True) -> str:
    """The text as it may be drawn: nothing in it acts on the terminal and nothing in it is hidden.

    Control characters become their signs (␀ ␛), invisible and direction-changing characters and lone surrogates U+FFFD,
    tabs spaces. CR LF counts as one newline. With `newlines=False` a newline becomes ␤ and the result is one line.
    """
    text = text.replace("\r\n", "\n")
    if not newlines:
        text = text.replace("\n", LINE_SIGN)
    if "\t" in text:
        text = text.expandtabs(TAB_CELLS)
    if not text.isascii():
        text = _UNSAFE_BEYOND.sub(REPLACEMENT, _unjoined(text))
    for character in set(_UNSAFE.findall(text)):  # far quicker than a function called for every one of a million ESCs
        text = text.replace(character, _GLYPHS[ord(character)])
    return text


def _unjoined(text: str) -> str:
    """Emoji without the marks that change or join them, over whose width terminals disagree."""
    if "\ufe0e" in text or "\ufe0f" in text:
        text = _VARIATION.sub("", text)
    return _EMOJI_JOINER.sub("", text) if "\u200d" in text else text


def harmless(segments: Iterable[Segment]) -> list[Segment]:
    """The last look before a line is drawn: a segment that was not made visible is; those that were cost next to nothing."""
    return [s if s.text.isprintable() else Segment(visible(s.text, newlines=False), s.style, s.control) for s in segments]


def in_place(segments: Iterable[Segment]) -> list[Segment]:
    """As `harmless`, for text that is edited: every character keeps its width, so that the cursor stands where it is.

    What takes no cell is not painted; what takes some is painted as U+FFFD.
    """
    return [s if s.text.isprintable() else Segment("".join(map(_same_width, s.text)), s.style, s.control) for s in segments]


def _same_width(character: str) -> str:
    if not (_UNSAFE.match(character) or _UNSAFE_BEYOND.match(character)):
        return character
    cells = get_character_cell_size(character)
    return REPLACEMENT + " " * (cells - 1) if cells > 0 else ""


def copyable(text: str) -> str:
    """The text as it may go to the clipboard: all of it, but nothing that a terminal would obey when it is pasted."""
    for character in set(_UNSAFE.findall(text)):
        if unicodedata.category(character) in ("Cc", "Cs"):
            text = text.replace(character, _GLYPHS[ord(character)])
    return text


def one_line(text: str, limit: int = 400) -> str:
    """The first `limit` characters as one visible line: every run of white space is one space."""
    return visible(" ".join(text[: limit * 2].split())[:limit], newlines=False)


def clip(text: str, width: int) -> str:
    """A visible one-line text cut to at most `width` cells; an ellipsis says that something was cut."""
    if width <= 0:
        return ""
    if fitting(text, width) == len(text):
        return text
    return text[: fitting(text, width - 1)].rstrip(" ") + ELLIPSIS


def fitting(text: str, width: int, start: int = 0) -> int:
    """The offset in a visible text up to which the characters from `start` on fill at most `width` cells.

    Combining characters stay with the one they belong to.
    """
    head = text[start : start + width]
    if head.isascii() and text[start + width : start + width + 1].isascii():
        return start + len(head)
    used, at = 0, start
    while at < len(text):
        used += get_character_cell_size(text[at])
        if used > width:
            break
        at += 1
    return at


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text clipped and then filled with spaces to exactly `width` cells; `right` aligns it to the right."""
    text = clip(text, width)
    fill = " " * (width - (len(text) if text.isascii() else cell_len(text)))
    return fill + text if right else text + fill
