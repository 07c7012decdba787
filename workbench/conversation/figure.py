"""A number with its kind and its origin: unknown is never 0 (spec 1, section 2)."""

from dataclasses import dataclass

from .wording import counted

EXACT, ESTIMATED, LOWER_BOUND, UNKNOWN = "exact", "estimated", "lower bound", "unknown"


@dataclass(frozen=True, slots=True)
class Figure:
    """Tokens, or None when unknown; `source` says where the number comes from, in words."""

    tokens: int | None
    kind: str
    source: str

    @property
    def words(self) -> str:
        """For a sentence: "1,234 tokens", "at least 1,234 tokens", "unknown"."""
        if self.tokens is None:
            return UNKNOWN
        return f"{'at least ' if self.kind == LOWER_BOUND else ''}{counted(self.tokens, 'token')}"


def exact(tokens: int, source: str) -> Figure:
    return Figure(tokens, EXACT, source)


def estimated(tokens: int, source: str) -> Figure:
    return Figure(tokens, ESTIMATED, source)


def unknown(source: str) -> Figure:
    return Figure(None, UNKNOWN, source)
