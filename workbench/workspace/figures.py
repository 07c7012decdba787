"""By whom the tokens of the listed messages are estimated, and what that gives for each of them.

Rough figures stand in every block. The others are made beside the screen and handed in as they come: until then, and
where something cannot be counted, the rough figure stands in and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .view import Item

if TYPE_CHECKING:
    from .state import Workspace
    from .view import Columns

ROUGH, TIKTOKEN, CALIBRATED = "rough", "tiktoken", "calibrated"
ESTIMATORS = (ROUGH, TIKTOKEN, CALIBRATED)
NOT_YET = -1
O200K = "o200k_base, another model's tokenizer: near, never exact"
STOPPED = "Counting was stopped; e counts on."


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Tokens of each item of both arrays by one estimator; NOT_YET where there is no figure, so that the rough one stands in.

    columns     the arrays they are of
    detail      how they come about, in words
    totals      of each array, with the rough figures that stand in
    done, size  bytes of text counted so far, and in all
    """

    columns: Columns
    name: str
    detail: str
    tokens: tuple[tuple[int, ...], tuple[int, ...]]
    totals: tuple[int, int]
    done: int
    size: int

    @property
    def complete(self) -> bool:
        return self.done >= self.size

    @property
    def percent(self) -> int:
        """How much is counted, in whole percent; 100 only when all is."""
        return 100 if self.complete else min(99, 100 * self.done // self.size)


def figures_of(columns: Columns, name: str, detail: str, tokens: tuple[list[int], list[int]], done: int, size: int) -> Figures:
    """The figures of both arrays with their totals."""
    items = (columns.left.items, columns.right.items if columns.right is not None else ())
    totals = [
        sum(found if found != NOT_YET else item.block.tokens for found, item in zip(counts, side, strict=True))
        for counts, side in zip(tokens, items, strict=True)
    ]
    return Figures(columns, name, detail, (tuple(tokens[0]), tuple(tokens[1])), (totals[0], totals[1]), done, size)


def made_by(now: Workspace, name: str) -> Figures | None:
    """The figures of an estimator for the arrays that are shown; None without, and for rough ones, which every block has."""
    return next((f for f in now.figures if f.name == name and f.columns is now.columns), None)


def chosen(now: Workspace) -> Figures | None:
    """The figures of the estimator that is chosen."""
    return made_by(now, now.estimator)


def tokens_at(now: Workspace, side: int, index: int, item: Item) -> tuple[int, str]:
    """(tokens, estimator) of an item: the chosen one's, or the rough figure that stands in for it."""
    figures = chosen(now)
    if figures is not None and index < len(figures.tokens[side]) and figures.tokens[side][index] != NOT_YET:
        return figures.tokens[side][index], figures.name
    return item.block.tokens, ROUGH


def total_of(now: Workspace, side: int) -> tuple[int, str]:
    """(tokens, estimator) of all that a side lists: the chosen one's when it is through."""
    figures = chosen(now)
    if figures is not None and figures.complete:
        return figures.totals[side], figures.name
    columns = now.columns
    column = None if columns is None else columns.right if side else columns.left
    return (0 if column is None else column.tokens), ROUGH


def is_counting(now: Workspace) -> bool:
    """Whether the tokenizer is at work on what is shown; it is first asked when the messages are looked at."""
    from .state import MESSAGES  # which holds figures itself

    found = made_by(now, TIKTOKEN)
    goes_on = now.tab == MESSAGES if found is None else not found.complete
    return now.columns is not None and not now.uncounted and goes_on


# moves


def figured(now: Workspace, figures: Figures) -> Workspace:
    """Figures have come; those of arrays that are no longer shown are dropped."""
    if figures.columns is not now.columns:
        return now
    others = tuple(f for f in now.figures if f.columns is now.columns and f.name != figures.name)
    return replace(now, figures=(*others, figures))


def not_counted(now: Workspace, why: str) -> Workspace:
    """The tokenizer was stopped or cannot be had; what stands in for its figures is rough."""
    return replace(now, uncounted=why, estimator=ROUGH if now.estimator == TIKTOKEN else now.estimator)


def next_estimator(now: Workspace) -> Workspace:
    """Rough, tiktoken, calibrated, in turn; a count that was stopped goes on, a tokenizer that cannot be had is left out."""
    if now.uncounted == STOPPED:
        now = replace(now, uncounted="")
    offered = [name for name in ESTIMATORS if name != TIKTOKEN or not now.uncounted]
    return replace(now, estimator=offered[(offered.index(now.estimator) + 1) % len(offered)])


def about(now: Workspace) -> str:
    """Whose figures are shown and how they come about, as a sentence."""
    if now.estimator == ROUGH:
        why = f" {now.uncounted}" if now.uncounted else ""
        return f"rough: a token for every four bytes, as the agent itself estimates.{why}"
    found = chosen(now)
    if now.estimator == TIKTOKEN:
        return f"tiktoken: {O200K}.{'' if found is not None and found.complete else ' It is still counting.'}"
    return f"calibrated: {found.detail if found is not None else 'being computed'}."
