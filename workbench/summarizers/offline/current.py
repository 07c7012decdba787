"""Current Work: what was being done at the end, with the newest words of both sides as they were."""

import re
from collections.abc import Iterator

from ...compaction.prompts import sections as names
from ...memory.offline.codebase import AGENTS
from ...memory.offline.commands import plain, telling_line
from ...memory.offline.facts import ERROR, OK, PENDING, Action, Turn
from ...memory.offline.task import answering
from ...memory.offline.worklog import done
from ...memory.template import CURRENT_STATE
from ...memory.words import clean, middle_cut, one_line
from .entries import Entry
from .material import Material
from .wording import carried, cut_in_the_middle, entry, fenced, quoted, stamped

REQUEST, TEXT, OLDER_TEXT, OUTPUT = 1_000, 2_400, 400, 1_000  # bytes of each, quoted
RECENT = 5  # turns in which an offer still stands
ACTIONS, TEXTS, FEW, LITTLE = 8, 4, 4, 20

_OFFER = re.compile(r"((?:Want me to|Would you like me to|Should I|Shall I|Do you want me to)\b[^?\n]{5,280}\?)")
_TAKES = re.compile(r"\W*(?:yes|yeah|yep|sure|ok|okay|do|go|please|no|nope|not|don'?t|let'?s|both|option|\d)\b", re.IGNORECASE)


def current(material: Material) -> list[Entry]:
    """The newest request, the agent's newest words, the newest actions, what is uncommitted; what was before it all began."""
    turn = material.last
    if turn is None:
        return _before(material)
    entries = [*_previous(material), *_request(material), *_texts(turn), *_actions(turn), *_last_output(turn), *_state(material)]
    return [*entries, *_before(material)]


def _previous(material: Material) -> Iterator[Entry]:
    """The turn before, where hardly anything has been done in the last one."""
    turns = material.facts.turns
    if len(turns) < 2 or len(turns[-1].actions) + len(turns[-1].said) >= FEW:
        return
    turn = turns[-2]
    asked = f"was {quoted(middle_cut(turn.request, 300), 310)}" if turn.request else "was not asked for in these messages"
    yield Entry(entry(f"The turn before {asked}; done for it: {so_far(turn)}"), 75)
    for action in turn.actions[-3:]:
        yield Entry(entry(f"In it: {what(action)} — {_outcome(action)}"), 49)
    if turn.actions and not turn.is_answered and turn.actions[-1].output:
        text = cut_in_the_middle(turn.actions[-1].output, OUTPUT)
        yield Entry(f"{entry('The result of the last of them:')}\n{fenced(text)}", 48)
    if turn.said:
        yield _quotation("The agent's words at its end", turn.answer, TEXT // 2, 74)
    if turn.interrupted:
        yield Entry(entry("The user broke that turn off."), 73)


def so_far(turn: Turn) -> str:
    """What was done in a turn, in short."""
    return done(turn.actions) if turn.actions else "answered" if turn.said else "nothing yet"


def _request(material: Material) -> Iterator[Entry]:
    turn = material.asked
    if turn is None:
        since = "since the earlier summary" if material.earlier else "in these messages"
        yield Entry(entry(f"The user has written nothing {since}; what is asked for stands in sections 1 and 6."), 78)
        return
    text = cut_in_the_middle(clean(turn.request), REQUEST)
    head = f"The user's newest request {stamped(turn.at)}was"
    whole = f'{entry(head)} "{text}"{answering(turn)}' if "\n" not in text else f"{entry(f'{head}:')}\n{fenced(text, 'text')}"
    yield Entry(whole, 100, entry(f"{head} “{one_line(text, 200)}”"), must=True)
    yield Entry(entry(f"Done for it so far: {so_far(turn)}"), 70, must=True)


def _texts(turn: Turn) -> Iterator[Entry]:
    """The agent's newest texts, oldest of them first; the last of all at length."""
    newest = turn.said[-TEXTS:]
    for place, said in enumerate(newest):
        if place < len(newest) - 1:
            yield _quotation("The agent said", said.text, OLDER_TEXT, 45 + place)
        else:
            yield _quotation("The agent's last words", said.text, TEXT, 90, must=True)


def _quotation(label: str, text: str, most: int, weight: float, *, must: bool = False) -> Entry:
    """Words as they were, up to so many bytes; in short, in one line."""
    kept = cut_in_the_middle(text, most)
    whole = f'{entry(label)}: "{kept}"' if "\n" not in kept else f"{entry(f'{label}:')}\n{fenced(kept, 'text')}"
    return Entry(whole, weight, entry(f"{label}: {quoted(middle_cut(text, 300), 310)}"), must)


def _actions(turn: Turn) -> Iterator[Entry]:
    newest = turn.actions[-ACTIONS:]
    if len(turn.actions) > len(newest):
        yield Entry(entry(f"{len(turn.actions) - len(newest)} actions of this turn came before these:"), 51)
    for place, action in enumerate(newest):
        last = place == len(newest) - 1
        label = "Last action: " if last else ""
        yield Entry(entry(f"{label}{what(action)} — {_outcome(action)}"), 85 if last else 52 + place, must=last)


def what(action: Action) -> str:
    """An action in one line."""
    target = plain(action.target) if action.is_command else one_line(action.target, 160)
    return f"{action.tool} `{target}`" if target else action.tool


def _outcome(action: Action) -> str:
    if action.outcome == PENDING:
        return "no result yet"
    return f"{action.outcome}: {telling_line(action.output)}" if action.outcome == ERROR else action.outcome


def _last_output(turn: Turn) -> Iterator[Entry]:
    """What the last action gave back: the agent had it before its eyes and had not answered yet."""
    if turn.actions and not turn.is_answered and turn.actions[-1].output and not turn.actions[-1].is_edit:
        text = cut_in_the_middle(turn.actions[-1].output, TEXT if turn.actions[-1].tool in AGENTS else OUTPUT)
        yield Entry(f"{entry('Its result, which the agent has not spoken about yet:')}\n{fenced(text)}", 65)


def _state(material: Material) -> Iterator[Entry]:
    offer = open_offer(material)
    if offer:
        yield Entry(entry(f"Offered by the agent, and neither accepted nor declined by the user: {quoted(offer, 300)}"), 72)
    doing = next((t.text for t in material.open_todos if t.status == "in_progress" and material.is_fresh(t)), "")
    if doing:
        yield Entry(entry(f"Of the todo list, in progress: {doing}"), 80, must=True)
    paths = uncommitted(material)
    if paths:
        names_ = ", ".join(f"`{p}`" for p in paths[-12:])
        yield Entry(entry(f"Edited and not committed since: {names_}"), 60)


def open_offer(material: Material) -> str:
    """The newest offer of the agent in the last few turns, unless the user's next words take it up; "" for none."""
    turns = material.facts.turns
    for place in range(len(turns) - 2, max(-1, len(turns) - RECENT), -1):
        offer = offer_in(turns[place].answer)
        if offer:
            return "" if _TAKES.match(turns[place + 1].request) else offer
    return ""


def offer_in(text: str) -> str:
    """The last sentence of the agent that offers to do something; "" for none."""
    found = _OFFER.findall(text)
    return str(found[-1]) if found else ""


def uncommitted(material: Material) -> list[str]:
    """Files edited since the last commit, in order."""
    paths: dict[str, None] = {}
    for action in material.actions:
        if action.is_edit and action.outcome == OK:
            paths[action.path] = None
        elif action.is_command and action.outcome == OK and "git commit" in action.target:
            paths.clear()
    return list(paths)


def _before(material: Material) -> list[Entry]:
    """Where the work stood according to an earlier summary: of use while little has happened since."""
    if material.asked is not None or len(material.actions) > LITTLE:
        return []
    found = material.earlier.entries(names.CURRENT_WORK, names.WORK_COMPLETED, CURRENT_STATE)
    return [
        Entry(carried(text), 75 - place, carried(one_line(middle_cut(text, 400), 410)), must=place == 0)
        for place, text in enumerate(found)
    ]
