"""What a stage did to rows, so that nothing is ever dropped, rewritten or put in without a reason that a user can read."""

from dataclasses import dataclass

DROP, REWRITE, INSERT, MOVE, KEEP, FOLD = "drop", "rewrite", "insert", "move", "keep", "fold"


@dataclass(frozen=True, slots=True)
class Change:
    """One act on rows.

    kind    drop | rewrite | insert | move | keep | fold
    uuids   the rows it concerns, in their order
    reason  a sentence for the user
    """

    kind: str
    uuids: tuple[str, ...]
    reason: str
