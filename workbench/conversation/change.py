"""What was done to an array or a chain, and why, in words a user can read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """One drop, rewrite, move or insertion: kind, the uuids of the rows it touches, and the reason."""

    kind: str
    uuids: tuple[str, ...]
    reason: str
