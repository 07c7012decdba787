"""The last section: the next step where the work goes on from here; else what newer messages need to be understood."""

import re
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...memory.offline.facts import PENDING
from ...memory.words import middle_cut, one_line
from .current import LITTLE, offer_in, so_far, uncommitted, what
from .entries import Entry
from .material import Material
from .wording import carried, entry, quoted, stamped

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def next_step(material: Material) -> list[Entry]:
    """One step in line with the newest request, or that there is none; the request and the place where it stopped, quoted."""
    turn, asked = material.last, material.asked
    if turn is None:
        return _inherited(material) or [Entry("   - None: nothing was asked for or done.", must=True)]
    entries = [Entry(entry(_step(material)), 100, must=True)]
    if asked is not None:
        entries.append(Entry(entry(f"The request it serves: {quoted(middle_cut(asked.request, 300), 310)}"), 90, must=True))
    else:
        entries += _inherited(material)
    if turn.said:
        stopped = turn.answer.rstrip().rpartition("\n")[2] if turn.is_answered else turn.answer
        entries.append(Entry(entry(f"Where it stopped: {quoted(_end_of(stopped, 500), 510)}"), 80, must=True))
    return entries


def _end_of(text: str, most: int) -> str:
    return text if len(text) <= most else f"… {text[len(text) - most :].partition(' ')[2]}"


def _step(material: Material) -> str:
    turn = material.last
    if turn is None:
        return "None."
    if turn.actions and turn.actions[-1].outcome == PENDING:
        return f"Look at the result of {what(turn.actions[-1])}, which was not there yet, and go on from it."
    if turn.interrupted:
        return "None without the user's word: the user broke off what was being done."
    last_line = _FENCED.sub("", turn.answer).rstrip().rpartition("\n")[2]
    question = last_line if "?" in last_line else offer_in(turn.answer)
    if turn.is_answered and question:
        return f"Wait for the user's answer to {quoted(question, 300)}"
    doing = next((t.text for t in material.open_todos if t.status == "in_progress" and material.is_fresh(t)), "")
    if turn.is_answered and not doing:
        return "None: the newest request is answered, and the user speaks next."
    if doing:
        return f"Go on with “{doing}”."
    return (
        f"Go on with the newest request; the last thing done for it was {what(turn.actions[-1])}."
        if turn.actions
        else "Answer the user's newest message."
    )


def _inherited(material: Material) -> list[Entry]:
    """The next step of an earlier summary, while little has happened since."""
    if material.asked is not None or len(material.actions) > LITTLE:
        return []
    found = material.earlier.entries(names.NEXT_STEP, names.CONTEXT)
    return [Entry(carried(one_line(middle_cut(text, 600), 610)), 85 - place, must=place == 0) for place, text in enumerate(found)]


def completed(material: Material) -> list[Entry]:
    """What was done for each request, and where it stood at the end of these rows."""
    entries: list[Entry] = []
    turns = material.facts.turns
    for place, turn in enumerate(turns):
        said = f"\nThe agent: {quoted(middle_cut(turn.answer, 700), 710)}" if turn.answer else ""
        asked = quoted(turn.request, 120) if turn.request else "Work that was under way"
        head = f"{stamped(turn.at)}{asked} → {so_far(turn)}{', broken off by the user' if turn.interrupted else ''}"
        entries.append(Entry(entry(f"{head}{said}"), 50 + 40 * place / len(turns), entry(head), must=place == len(turns) - 1))
    return entries


def context(material: Material) -> list[Entry]:
    """Decisions, what is open, names in use; no step, since newer messages follow."""
    return [
        *_decided(material),
        *_open(material),
        Entry("   - Newer messages follow this summary; where they differ from it, they hold.", 99, must=True),
        *_inherited(material)[:2],
    ]


def _decided(material: Material) -> Iterator[Entry]:
    for decision in material.facts.decisions:
        yield Entry(entry(f"Decided by the user: {decision.question} → {decision.answer}"), 60)


def _open(material: Material) -> Iterator[Entry]:
    turn = material.last
    if turn is not None and turn.request and not turn.is_answered:
        yield Entry(entry(f"Being worked on at that point: {quoted(middle_cut(turn.request, 500), 510)}"), 90, must=True)
    if turn is not None and turn.answer:
        yield Entry(entry(f"Last words of the agent there: {quoted(middle_cut(turn.answer, 900), 910)}"), 85, must=True)
    for todo in material.open_todos:
        yield Entry(entry(f"Open on the todo list: {todo.text}"), 70)
    paths = uncommitted(material)
    if paths:
        yield Entry(entry(f"Edited and not committed at that point: {', '.join(f'`{p}`' for p in paths[-12:])}"), 65)
