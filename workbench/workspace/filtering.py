"""Search and filters of the Messages tab: by role, tool, size and text of the first characters of each block."""

from dataclasses import dataclass

from .view import Item

ROLES = ("", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Filter:
    """What to show: role ("" for all), tool or kind by name, at least so many rough tokens, text somewhere in the line."""

    role: str = ""
    tool: str = ""
    at_least: int = 0
    text: str = ""

    @property
    def is_on(self) -> bool:
        return bool(self.role or self.tool or self.at_least or self.text)

    @property
    def words(self) -> str:
        """The filter as the user would say it."""
        parts = [self.role and f"role {self.role}", self.tool and f"tool {self.tool}"]
        parts += [f"at least {self.at_least:,} tokens" if self.at_least else "", self.text and f"“{self.text}”"]
        return " · ".join(p for p in parts if p)


def parse_filter(text: str) -> Filter:
    """A filter from what the user typed: `role:user tool:Read size:2000 words to find`; unknown prefixes are text."""
    role = tool = ""
    at_least = 0
    words = []
    for word in text.split():
        name, colon, value = word.partition(":")
        if colon and name == "role":
            role = value
        elif colon and name in ("tool", "kind"):
            tool = value
        elif colon and name == "size" and value.replace("_", "").replace(",", "").isdigit():
            at_least = int(value.replace("_", "").replace(",", ""))
        else:
            words.append(word)
    return Filter(role, tool, at_least, " ".join(words))


def shown(items: tuple[Item, ...], wanted: Filter, names: dict[str, str] | None = None) -> tuple[int, ...]:
    """The indices of the items that a filter lets through; `names` gives each call's tool by its id."""
    if not wanted.is_on:
        return tuple(range(len(items)))
    return tuple(i for i, item in enumerate(items) if _passes(item, wanted, names or {}))


def largest_first(items: tuple[Item, ...], indices: tuple[int, ...]) -> tuple[int, ...]:
    """The same indices, the most rough tokens first; of equal ones the newest first."""
    return tuple(sorted(indices, key=lambda i: (-items[i].block.tokens, -i)))


def _passes(item: Item, wanted: Filter, names: dict[str, str]) -> bool:
    block = item.block
    name = block.name or names.get(block.call, "")
    if wanted.role and item.role != wanted.role:
        return False
    if wanted.tool and wanted.tool.lower() not in (name.lower(), block.kind.lower()):
        return False
    if block.tokens < wanted.at_least:
        return False
    return not wanted.text or wanted.text.lower() in f"{name} {block.kind} {block.head}".lower()


def tool_names(items: tuple[Item, ...]) -> dict[str, str]:
    """{call id: tool name} of an array."""
    return {i.block.call: i.block.name for i in items if i.block.kind == "tool_use"}
