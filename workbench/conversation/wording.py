"""Numbers with what they count, as a sentence has them: "1 message", "1,234 messages", "0 rows"."""


def noun(count: int, one: str, more: str = "") -> str:
    """The noun for a number; `more` where adding an "s" does not make its plural."""
    return one if count == 1 else more or f"{one}s"


def counted(count: int, one: str, more: str = "") -> str:
    """A number, grouped by thousands, with its noun."""
    return f"{count:,} {noun(count, one, more)}"
