"""What the user's text makes of the plan form: another wish, or a sentence that says why the text does not count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..compaction.profiles import preset_named
from ..compaction.settings import TABLE, Layer
from ..compaction.variants import VARIANTS
from ..errors import UsageError
from ..evidence.capacity import capacity_of
from ..summarizers import read_choice
from .steps_form import FILES, TRIGGERS, Field, value_words
from .steps_plan import BOUNDARY, CALL, END, FORM, Point, Wish, line_of, settings_for

if TYPE_CHECKING:
    from .opened import Opened

Read: TypeAlias = "Callable[[Wish, str, Opened], Wish]"


def with_value(wish: Wish, name: str, text: str, opened: Opened) -> Wish:
    """The wish with a field as the user wrote it. Raises UsageError, a sentence for the form, where that does not count."""
    text = text.strip()
    if name in TABLE:
        return _with_setting(wish, name, text, opened)
    if name in _READERS:
        return _READERS[name](wish, text, opened)
    return _with(wish, name, text)


def with_default(wish: Wish, field: Field, opened: Opened) -> Wish:
    """The wish with a field as it would be without the form."""
    if field.name in TABLE:
        return replace(wish, edits=tuple(e for e in wish.edits if e[0] != field.name))
    if field.name in ("trigger", "preset"):
        return _with(wish, field.name, "")
    return with_value(wish, field.name, field.default, opened)


def _with_setting(wish: Wish, name: str, text: str, opened: Opened) -> Wish:
    version = opened.session.index.last_version
    before = settings_for(wish, opened.settings, version)
    after = before.layered(Layer(FORM, {name: text}))
    if len(after.ignored) > len(before.ignored):
        raise UsageError(f"{name}: {text!r} {after.ignored[-1].reason}; it stays {value_words(before[name].value)}.")
    capacity_of(opened.session, after)
    return replace(wish, edits=(*(e for e in wish.edits if e[0] != name), (name, text)))


def _with_start(wish: Wish, text: str, opened: Opened) -> Wish:
    kind, _, number = text.lower().partition(" ")
    if kind == END:
        return replace(wish, point=Point())
    digits = number.replace(",", "").strip()
    if kind not in (CALL, BOUNDARY) or not digits.isdigit() or int(digits) < 1:
        raise UsageError(f"{text!r} is no place to start: write end, call N or boundary N.")
    point = Point(kind, int(digits) - 1)
    line_of(point, opened)
    return replace(wish, point=point)


def _with_variant(wish: Wish, text: str, _: Opened) -> Wish:
    if text not in VARIANTS:
        raise UsageError(f"There is no variant {text!r}; there are {', '.join(VARIANTS)}.")
    return replace(wish, variant=text)


def _with_pivot(wish: Wish, text: str, opened: Opened) -> Wish:
    return replace(wish, pivot=row_named(text, opened) if text else "")


def _with_pins(wish: Wish, text: str, opened: Opened) -> Wish:
    names = [name for part in text.split(",") for name in part.split()]
    return replace(wish, pins=tuple(row_named(name, opened) for name in names))


def _with_summarizer(wish: Wish, text: str, _: Opened) -> Wish:
    return replace(wish, summarizer=str(read_choice(text)))


def _with_profile(wish: Wish, text: str, opened: Opened) -> Wish:
    changed = replace(wish, profile=text)
    settings_for(changed, opened.settings, opened.session.index.last_version)
    return changed


def _with_preset(wish: Wish, text: str, _: Opened) -> Wish:
    return replace(wish, preset=preset_named(text).name if text else "")


def _one_of(name: str, *choices: str) -> Read:
    def read(wish: Wish, text: str, _: Opened) -> Wish:
        if text not in choices:
            raise UsageError(f"{name} is {' or '.join(choices)}, not {text!r}.")
        return _with(wish, name, text)

    return read


def _with(wish: Wish, name: str, text: str) -> Wish:
    changes: dict[str, Any] = {name: text}
    return replace(wish, **changes)


_READERS: dict[str, Read] = {
    "start": _with_start,
    "variant": _with_variant,
    "trigger": _one_of("trigger", *TRIGGERS),
    "pivot": _with_pivot,
    "pins": _with_pins,
    "summarizer": _with_summarizer,
    "files": _one_of("files", *FILES),
    "profile": _with_profile,
    "preset": _with_preset,
}


def row_named(name: str, opened: Opened) -> str:
    """The uuid of a row by its physical line or its uuid. Raises UsageError where there is no such row."""
    index = opened.session.index
    digits = name.replace(",", "")
    if digits.isdigit():
        place = opened.session.place_of_line(int(digits))
        found = index.uuids[place] if place < len(index) and index.lines[place] == int(digits) else None
        if found is None:
            raise UsageError(f"Line {name} holds no row with a uuid; Messages shows the line of each message.")
        return found
    if index.find(name) is None:
        raise UsageError(f"No row has the uuid {name}; give its line instead.")
    return name
