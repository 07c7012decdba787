"""A run as the flow it is: stages done, the next one, those to come, and the branches not taken with the reason why not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..compaction.result import FAILED, OK, SKIPPED, StageResult
from ..compaction.run import Run
from ..compaction.stages import (
    ask,
    bring_back,
    clean_reply,
    clear_results,
    decide,
    fold,
    hooks,
    measure,
    notes_path,
    pre_hook,
    prepare,
    put_together,
    record,
    shorten_request,
    verify,
)
from ..compaction.stages.table import STAGES
from ..compaction.variants import AUTO, FOLD, MICRO_CACHED, MICRO_TIME, SESSION_MEMORY

DONE, AHEAD, NEXT, LATER, UNTAKEN = "done", "ahead", "next", "later", "untaken"

FULL = (prepare.NAME, ask.NAME, shorten_request.NAME, clean_reply.NAME)
TAIL = (bring_back.NAME, hooks.NAME, put_together.NAME, verify.NAME, record.NAME)
NOTES_STAND_IN = "the notes stand in for a summary: no model is asked"
NOT_REACHED = "not reached"
FITS = "only when the request is too long"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One stage of the flow.

    state   done | ahead (gone back over, still valid) | next | later | untaken
    number  1-based place among results and what comes; 0 for a branch not taken
    at      index of its result among results and those ahead; None without one
    why     for what is not taken, the reason
    rail    the line that joins branches, two characters
    is_next whether the next step comes to it, computed anew or not
    """

    name: str
    state: str
    number: int = 0
    at: int | None = None
    result: StageResult | None = None
    why: str = ""
    rail: str = "  "
    is_next: bool = False

    @property
    def title(self) -> str:
        return STAGES[self.name].title


def flow(run: Run) -> tuple[Node, ...]:
    """Every stage of a run, in the order in which it is gone through."""
    everything = (*run.results, *run.ahead)
    nodes: list[Node] = []
    for at, result in enumerate(everything):
        state = DONE if at < len(run.results) else AHEAD
        nodes.append(Node(result.name, state, at + 1, at, result, is_next=at == len(run.results)))
        nodes += _beside(run, everything, at)
    return tuple(_railed([*nodes, *_to_come(run, everything)]))


def place_of(nodes: tuple[Node, ...], at: int) -> int:
    """Where the node of a result stands; that of the next stage when there is no such result."""
    found = next((i for i, n in enumerate(nodes) if n.at == at), None)
    return found if found is not None else next((i for i, n in enumerate(nodes) if n.is_next), 0)


def _beside(run: Run, everything: tuple[StageResult, ...], at: int) -> list[Node]:
    """Branches that leave the way right behind a result and are not taken."""
    result = everything[at]
    following = everything[at + 1].name if at + 1 < len(everything) else None
    if result.name == notes_path.NAME and result.outcome == OK:
        return [Node(name, UNTAKEN, why=NOTES_STAND_IN) for name in FULL]
    if result.name == pre_hook.NAME and run.plan.variant not in (AUTO, SESSION_MEMORY):
        return [Node(notes_path.NAME, UNTAKEN, why=f"the variant {run.plan.variant} names the summary")]
    if result.name == ask.NAME and following == clean_reply.NAME and not result.work.retries:
        return [Node(shorten_request.NAME, UNTAKEN, why=FITS)]
    return []


def _to_come(run: Run, everything: tuple[StageResult, ...]) -> list[Node]:
    """The next stage and what follows it as far as one can tell; behind a run that stopped, what it did not come to."""
    last = everything[-1] if everything else None
    following = measure.NAME if last is None else STAGES[last.name].follow(last, run.plan)
    if following is None:
        return _not_reached(run, everything) if last is not None else []
    nodes, number = [], len(everything)
    for offset, name in enumerate((following, *_behind(run, following, last))):
        is_spare = name == shorten_request.NAME and offset > 0
        number += not is_spare
        state = LATER if offset or run.ahead else NEXT
        nodes.append(Node(name, state, 0 if is_spare else number, why=FITS if is_spare else "", is_next=state == NEXT))
    return nodes


def way(variant: str) -> tuple[str, ...]:
    """The stages of a variant in order, both ways of the branch included."""
    start = (measure.NAME, clear_results.NAME)
    if variant in (MICRO_TIME, MICRO_CACHED):
        return (*start, verify.NAME)
    if variant == FOLD:
        return (*start, decide.NAME, fold.NAME, verify.NAME)
    notes = (notes_path.NAME,) if variant in (AUTO, SESSION_MEMORY) else ()
    full = () if variant == SESSION_MEMORY else FULL
    return (*start, decide.NAME, pre_hook.NAME, *notes, *full, *TAIL)


def _behind(run: Run, following: str, last: StageResult | None) -> tuple[str, ...]:
    names = way(run.plan.variant)
    if following == shorten_request.NAME:
        return (ask.NAME, clean_reply.NAME, *TAIL)
    if last is not None and following == bring_back.NAME and last.name == notes_path.NAME:
        return TAIL[1:]
    return names[names.index(following) + 1 :] if following in names else ()


def _not_reached(run: Run, everything: tuple[StageResult, ...]) -> list[Node]:
    last = everything[-1]
    if last.outcome not in (FAILED, SKIPPED) and last.name in (record.NAME, verify.NAME):
        return []
    names = way(run.plan.variant)
    rest = names[names.index(last.name) + 1 :] if last.name in names else ()
    seen = {r.name for r in everything}
    return [Node(name, UNTAKEN, why=NOT_REACHED) for name in rest if name not in seen]


def _railed(nodes: list[Node]) -> list[Node]:
    """Draws the line from where the way branches off to where it goes on."""
    rails = ["  "] * len(nodes)
    for at, node in enumerate(nodes):
        if node.name == notes_path.NAME and node.state != UNTAKEN:
            _arc(nodes, rails, at)
        fell = node.result is not None and node.name == put_together.NAME and node.result.outcome == FAILED
        if fell and at + 1 < len(nodes) and nodes[at + 1].state != UNTAKEN:
            rails[at], rails[at + 1] = "╭─", "╰─"
    return [replace(node, rail=rail) for node, rail in zip(nodes, rails, strict=True)]


def _arc(nodes: list[Node], rails: list[str], at: int) -> None:
    end = next((i for i in range(at + 1, len(nodes)) if nodes[i].state != UNTAKEN), None)
    if end is None:
        return
    rails[at], rails[end] = "╭─", "╰─"
    for between in range(at + 1, end):
        rails[between] = "│ "
