"""What is known of a request beside its messages; what is unknown is None, and what needs it is not checked."""

import re
from dataclasses import dataclass

_VERSION = re.compile(r"claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?![0-9])")


@dataclass(frozen=True, slots=True)
class Request:
    """A request about to be sent.

    at_rest         not yet: its messages are judged as a session at rest is, its options all the same
    thinking        "enabled" (manual, with a budget) | "adaptive" | "disabled"
    unfit_budget    what stands where the number of thinking tokens should, as JSON; None where a number or nothing does
    tool_choice     "auto" | "any" | "tool" | "none"
    tools           names, in order; "" for one without
    window, tokens  of the model, and of the whole request
    size            bytes of the body
    marks           cache_control marks on system prompt and tools
    prefix_changed  whether anything before kept thinking was edited since it was signed (spec 4, section 7)
    """

    model: str | None = None
    at_rest: bool = False
    max_tokens: int | None = None
    thinking: str | None = None
    thinking_budget: int | None = None
    unfit_budget: str | None = None
    tool_choice: str | None = None
    tools: tuple[str, ...] | None = None
    window: int | None = None
    tokens: int | None = None
    size: int | None = None
    marks: int = 0
    prefix_changed: bool = False

    @property
    def takes_prefill(self) -> bool | None:
        """Whether a final assistant message is taken as the start of the reply: up to version 4.5."""
        version = version_of(self.model)
        return None if version is None else version < (4, 6)

    @property
    def binds_thinking(self) -> bool:
        """Whether signatures are bound to all that stands before them: models since autumn 2026."""
        return is_newest(self.model)


def version_of(model: str | None) -> tuple[int, int] | None:
    """(major, minor) of a model's name in the old or the new spelling; None when it cannot be told."""
    found = _VERSION.search(model or "")
    return (int(found[1]), int(found[2] or 0)) if found else None


def is_newest(model: str | None) -> bool:
    """Fable 5.1, Opus 5.5 and whatever came after them."""
    version = version_of(model)
    return "mythos" in (model or "") or (version is not None and version >= (5, 1))
