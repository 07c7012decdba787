"""What each compaction lost: every rule, correction, request, attempt and file, and where it is now."""

import argparse
from collections.abc import Iterator
from typing import Any

from ..conversation.wording import counted
from ..errors import UsageError
from ..evidence.afterwards import READ_AGAIN
from ..evidence.loss import GONE, Item, Loss, losses, retention_json
from ..evidence.loss_items import HIGH
from ..storage import load
from . import output
from .options import add_common, chain_of

HELP = "what each compaction lost"
WIDEST = 110  # characters of an item
MOST_FILES = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--boundary", type=int, metavar="N", help="only this compaction, from 1")


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    if options.leaf:
        chain_of(session, options)
    count, number = len(session.boundaries), options.boundary
    if number is not None and not 1 <= number <= count:
        raise UsageError(f"There is no compaction {number}: this session has {count}.")
    found = tuple(losses(session, None if number is None else number - 1))
    if options.json:
        output.write_json({"boundaries": [as_json(each) for each in found]})
    else:
        output.write_lines(as_text(found))
    return 0


def as_json(loss: Loss) -> dict[str, Any]:
    """One boundary by the contract of spec 5, "loss"."""
    return {
        "line": loss.boundary.line,
        "items": [
            {
                "class": i.told.kind, "risk": i.told.risk, "text": i.told.text, "line": i.told.line, "fate": i.fate,
                "sentence": i.sentence or None, "evidence": i.evidence,
            }
            for i in loss.items
        ],
        "retention": retention_json(loss),
        "unsupported": [{"claim": claim} for claim in loss.unsupported],
        "lint": [{"kind": each.kind, "sentence": each.sentence} for each in loss.lint],
        "afterwards": [{"kind": sign.kind, "line": sign.line, "item": sign.item} for sign in loss.afterwards],
    }  # fmt: skip


def as_text(found: tuple[Loss, ...]) -> Iterator[str]:
    """The same for people: what is gone or of high risk in full, the rest in numbers."""
    if not found:
        yield "This session has no compaction: nothing was lost to one."
    for at, loss in enumerate(found):
        if at:
            yield ""
        yield f"boundary {loss.number + 1}, line {loss.boundary.line:,}: {loss.boundary.trigger or 'trigger unknown'}"
        yield from ("  " + line for line in output.table(list(_retention(loss)), right=(1, 2)))
        for item in loss.items:
            if item.told.risk == HIGH or item.fate == GONE:
                yield from _told(item)
        for each in loss.lint:
            yield f"  summary: {each.kind}: {each.sentence}"
        for claim in loss.unsupported:
            yield f"  summary: unsupported: nothing before it names {_short(claim)}"
        yield from _afterwards(loss)


def _retention(loss: Loss) -> Iterator[tuple[str, str, str]]:
    yield "class", "kept", "of"
    for kind, (kept, total) in loss.retention.items():
        yield kind, str(kept), str(total)


def _afterwards(loss: Loss) -> Iterator[str]:
    """Every sign; of files that were read again only the first."""
    again = [sign for sign in loss.afterwards if sign.kind == READ_AGAIN]
    left_out = again[MOST_FILES:]
    for sign in loss.afterwards:
        if sign not in left_out:
            yield f"  afterwards: {sign.kind}, line {output.number(sign.line)}: {_short(sign.item)}"
    if left_out:
        yield f"  afterwards: {READ_AGAIN}: {counted(len(left_out), 'more file')}"


def _told(item: Item) -> Iterator[str]:
    yield f"  {item.fate:<11} {item.told.kind}, line {output.number(item.told.line)}: {_short(item.told.text)}"
    where = f"{_short(item.sentence)} ({item.evidence})" if item.sentence and item.sentence != item.told.text else item.evidence
    yield f"              {where}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
