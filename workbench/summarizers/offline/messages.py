"""All user messages: each word for word, up to a length at which all of them find room (spec 1, section 6.5; spec 5)."""

from collections.abc import Iterator, Sequence

from ...compaction.prompts import sections as names
from ...conversation.text import utf8_length
from ...conversation.wording import counted
from ...memory.offline.facts import Turn
from ...memory.offline.task import answering
from ...memory.words import one_line
from .entries import Entry
from .material import Material
from .voices import BROKE_OFF, REFUSAL, REQUEST, TYPED, Voice
from .wording import carried, cut_in_the_middle, entry, stamped, verbatim

LEAST = 160  # bytes below which a message is not cut any further


def said_earlier(material: Material) -> list[Entry]:
    """The user's messages that only an earlier summary holds; whole where there is room."""
    found = material.earlier.entries(names.USER_MESSAGES)
    return [
        Entry(carried(text), 40 + 20 * place / len(found), carried(one_line(text, LEAST)), must=True)
        for place, text in enumerate(found)
    ]


def user_messages(material: Material, most: int, room: int) -> list[Entry]:
    """One entry a message, oldest first.

    most  bytes of a message that stay in any case while there is room; a longer one is cut in its middle
    room  bytes for all of them: where they need more, the longest are cut further, all to the same length
    """
    turns = iter([t for t in material.facts.turns if t.request])
    told = [(voice, next(turns, None) if voice.kind == REQUEST and voice.text else None) for voice in material.voices]
    limit = _limit([utf8_length(v.text) for v, _ in told], most, room - 64 * len(told))
    last = len(told) - 1
    entries = []
    for place, (voice, turn) in enumerate(told):
        weight = 100.0 if place in (0, last) else 60 + 30 * place / len(told)
        entries += [Entry(text, weight, must=True) for text in _told(voice, turn, limit)]
    return entries


def _limit(lengths: Sequence[int], most: int, room: int) -> int:
    """The length to which every longer message is cut, so that all fit into `room`."""
    low, high = LEAST, most
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(length, middle) for length in lengths) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _told(voice: Voice, turn: Turn | None, limit: int) -> Iterator[str]:
    at = stamped(voice.at)
    if voice.kind == BROKE_OFF:
        yield entry(f"{at}(the user broke off what was being done)")
    elif voice.kind == TYPED:
        yield verbatim(cut_in_the_middle(voice.text, limit), f"{at}(typed into the shell) ")
    elif voice.kind == REFUSAL:
        words = cut_in_the_middle(voice.text, limit)
        label = f"{at}(refusing {voice.about}"
        yield verbatim(words, f"{label}) ") if words else entry(f"{label}, without a word)")
    else:
        yield _request(voice, turn, at, limit)


def _request(voice: Voice, turn: Turn | None, at: str, limit: int) -> str:
    pictures = f"(with {counted(voice.pictures, 'picture')}) " if voice.pictures else ""
    if not voice.text:
        return entry(f"{at}{pictures}without a word")
    return verbatim(cut_in_the_middle(voice.text, limit), f"{at}{pictures}") + (answering(turn) if turn is not None else "")
