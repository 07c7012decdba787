"""The rows of the picker: groups with headings, searched and sorted, and a sentence wherever there is nothing to list."""

from dataclasses import dataclass

from .catalogue import LARGEST, MOST_COMPACTED, Catalogue, Entry, Facts, Found, project_words, tilde, title_words


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a group."""

    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence where a group has nothing to show, or not everything."""

    sentence: str
    warns: bool = False


@dataclass(frozen=True, slots=True)
class OpenPath:
    """The row that asks for a path."""


Row = Heading | Note | Entry | OpenPath


def rows_of(now: Catalogue) -> tuple[Row, ...]:
    """The groups with their headings, in the order asked for."""
    found = now.found
    if found is None:
        return (Note("looking for sessions…"),)
    sessions, samples = _shown(now, found.sessions), _shown(now, found.samples)
    title = "Your sessions" if found.is_projects else "Sessions of a folder"
    rows: list[Row] = [Heading(title, f"{_count(sessions, found.sessions)} · {tilde(found.folder, found.home)}"), *sessions]
    if not sessions:
        rows += _nothing(now, found)
    rows += [Note(sentence, warns=True) for sentence in found.problems if sessions or not found.sessions]
    if found.samples:
        rows += [Heading("Sample sessions", _count(samples, found.samples)), *samples]
        rows += [] if samples else [Note(f"no sample with “{now.words}”")]
    return (*rows, Heading("Elsewhere"), OpenPath())


def _count(shown: tuple[Entry, ...], every: tuple[Entry, ...]) -> str:
    return f"{len(every):,}" if len(shown) == len(every) else f"{len(shown):,} of {len(every):,}"


def _nothing(now: Catalogue, found: Found) -> list[Row]:
    if found.sessions:
        return [Note(f"no session with “{now.words}”; Esc clears the search")]
    return [] if found.problems else [Note("there is no session file here")]


def _shown(now: Catalogue, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    words = now.words.casefold().split()
    home = now.found.home if now.found else ""
    shown = [e for e in entries if not words or _holds(e, now.facts.get(e.path), home, words)]
    if now.order == LARGEST:
        shown.sort(key=lambda e: -e.size)
    elif now.order == MOST_COMPACTED:
        shown.sort(key=lambda e: -now.facts[e.path].compactions if e.path in now.facts else 1)
    return tuple(shown)


def _holds(entry: Entry, facts: Facts | None, home: str, words: list[str]) -> bool:
    text = f"{entry.group} {project_words(entry, facts, home)} {title_words(entry, facts)} {entry.name}".casefold()
    return all(word in text for word in words)
