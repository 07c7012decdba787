"""Whether a text says what another says: word for word, or with most of its telling words in one sentence.

No understanding is claimed: each answer carries how it was found, so that whoever reads it can judge.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

ENOUGH = 0.6  # of the telling words of a text in one sentence: then that sentence is taken to speak of it
LEAST_LETTERS = 3

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?", re.UNICODE)
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_DULL = frozenset(
    word
    for line in (
        "the and for that this with from are was were has have had not but you your they them their its it's into onto than",
        "then there here what when where which who whom how why can could would should will shall may might must does did done",
        "doing about after before again all any both each few more most other some such only own same too very just also please",
        "let lets make made use used using get got now one two",
    )
    for word in line.split()
)


@dataclass(frozen=True)  # no slots: what is worked out once is kept with it
class Haystack:
    """A text that is searched, sentence by sentence."""

    text: str

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(s.strip(" -*>#\t") for s in _SENTENCE.split(self.text) if s.strip(" -*>#\t"))

    @cached_property
    def plain(self) -> str:
        return _plain(self.text)

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(map(_stem, _words(s))) for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Match:
    """The sentence that says it, "" where none does, and how that was found."""

    sentence: str
    evidence: str

    @property
    def is_found(self) -> bool:
        return bool(self.sentence)


def find(text: str, within: Haystack) -> Match:
    """The sentence of a haystack that says what a text says, or the nearest miss in words."""
    wanted, telling = _plain(text), telling_words(text)
    if wanted and f" {wanted} " in f" {within.plain} " and (telling or len(wanted) > LEAST_LETTERS or _quoted(text, within.text)):
        return Match(_sentence_with(wanted, within), "word for word")
    if not telling:
        return Match("", "it has no telling word to look for")
    shares = [len(telling & words) for words in within.words]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    if best is None:
        return Match("", "there is nothing to look in")
    share = shares[best]
    told = f"{share} of {len(telling)} telling words"
    if share >= ENOUGH * len(telling):
        return Match(within.sentences[best], f"{told}: {', '.join(sorted(telling & within.words[best])[:8])}")
    return Match("", f"at most {told} stand in one sentence")


def _quoted(text: str, within: str) -> bool:
    """Whether a very short text stands between quotation marks: alone, a letter or a number proves nothing."""
    words = text.strip()
    return any(f"{mark}{words}{end}" in within for mark, end in (('"', '"'), ("“", "”"), ("'", "'"), ("`", "`"), ("「", "」")))


def _sentence_with(wanted: str, within: Haystack) -> str:
    """The sentence that holds the words, else the one that shares most of them: a text may run over several."""
    whole = next((s for s in within.sentences if f" {wanted} " in f" {_plain(s)} "), None)
    if whole is not None:
        return whole
    words = set(wanted.split())
    return max(within.sentences, key=lambda s: len(words & set(_plain(s).split())), default=wanted)


def telling_words(text: str) -> frozenset[str]:
    """The words that tell a text from others, without their endings."""
    return frozenset(_stem(w) for w in _words(text) if len(w) >= LEAST_LETTERS and w not in _DULL)


def mentions(name: str, texts: Sequence[str]) -> bool:
    """Whether a path or identifier stands in one of the texts, whole or by the last part of the path."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return any(name in text or (len(last) > LEAST_LETTERS and last in text) for text in texts)


def _words(text: str) -> list[str]:
    return [w.casefold().replace("’", "'") for w in _WORD.findall(text)]


def _plain(text: str) -> str:
    return " ".join(_words(text))


def _stem(word: str) -> str:
    """A word without the commonest endings, so that "tests" and "test" are one."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_LETTERS:
            return word.removesuffix(ending)
    return word
