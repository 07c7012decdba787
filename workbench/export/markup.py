"""HTML by hand, safely: every text is escaped where it goes in, so that nothing of a session can act on a reader's browser."""

from collections.abc import Iterable
from html import escape

VOID = ("meta", "br", "hr")  # they have no end tag
CONTROL = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"} | {0x7F: 0x2421}
HIDDEN = (*range(0x80, 0xA0), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
CONTROL |= dict.fromkeys(HIDDEN, 0xFFFD)


class Html(str):
    """Markup that is made of escaped parts."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: object) -> Html:
    """An element; plain strings among its children are text. `class_` is `class`; an attribute of None is left out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{given}>" if name in VOID else f"<{name}{given}>{''.join(map(text, children))}</{name}>")


def text(words: str) -> str:
    """Markup as it is, any other string escaped and with signs in place of what acts or hides."""
    if isinstance(words, Html):
        return words
    return escape(words.encode("utf-16", "surrogatepass").decode("utf-16", "replace").translate(CONTROL))


def table(head: Iterable[str], rows: Iterable[Iterable[str]], numbers: Iterable[int] = ()) -> Html:
    """A table; the columns in `numbers` are flush right."""
    right = set(numbers)

    def cells(name: str, row: Iterable[str]) -> list[Html]:
        return [tag(name, cell, class_="n" if at in right else None) for at, cell in enumerate(row)]

    body = [tag("tr", *cells("td", row)) for row in rows]
    return tag("table", tag("thead", tag("tr", *cells("th", head))), tag("tbody", *body))
