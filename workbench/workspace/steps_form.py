"""The plan form as values: every field with its value, its default, and the source of what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..compaction.profiles import PRESETS, PROFILES, preset_named, preset_of
from ..compaction.setting_table import Setting
from ..compaction.settings import SettingLine
from ..compaction.variants import AUTO, VARIANTS, default_trigger, switched_on
from ..compaction.working_set import DISK, TRANSCRIPT
from ..summarizers import OFFLINE
from ..summarizers import TABLE as SUMMARIZERS
from .steps_plan import BOUNDARY, CALL, END, FORM, TOO_LONG, Point, Wish, settings_for

if TYPE_CHECKING:
    from .opened import Opened

PLAN = "plan"
TRIGGERS, FILES = ("auto", "manual"), (TRANSCRIPT, DISK)
PLAIN = tuple(s.name for s in SUMMARIZERS.values() if not s.argument)

ABOUT = {
    "start": "before which call or boundary; end: as the file stands",
    "variant": "how it compacts; naming a variant counts as switching it on",
    "trigger": "who asks for it; by hand passes every guard but the first",
    "pivot": "for from and up-to: the line or uuid of the message they cut at",
    "pins": "lines or uuids of messages that must stay, between commas",
    "instructions": "custom instructions for the summary",
    "summarizer": "; ".join(f"{s.usage}: {s.about}" for s in SUMMARIZERS.values()),
    "model": "for claude: which model is asked; empty: the session's",
    "files": "where the contents of files come from",
    "error": "for reactive: what the API answered",
    "notes": "path of notes to compact from; empty: the session's own",
    "profile": "whose behaviour is reproduced",
    "preset": "what the agent's version alone decides",
}
FREE = frozenset(("start", "pivot", "pins", "instructions", "summarizer", "model", "error", "notes", "preset"))


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the form.

    value, default  as text; `source` says why it is what it is, `is_changed` that it was changed here
    choices         the words it may be, () when free; `free` when other text is taken too
    """

    name: str
    group: str
    value: str
    default: str
    source: str
    about: str
    choices: tuple[str, ...] = ()
    free: bool = False
    is_changed: bool = False

    def neighbour(self, step: int) -> str:
        """The choice after (1) or before (-1) the value."""
        if self.value not in self.choices:
            return self.choices[0 if step > 0 else -1]
        return self.choices[(self.choices.index(self.value) + step) % len(self.choices)]


def fields_of(wish: Wish, opened: Opened, call: int = 0) -> tuple[Field, ...]:
    """Every field: the plan, then all settings in the order of the table; `call` is the one that is selected."""
    settings = switched_on(wish.variant, settings_for(wish, opened.settings, opened.session.index.last_version))
    edited = {name for name, _ in wish.edits}
    return (*_plan_fields(wish, opened, call), *(_setting_field(line, line.setting.name in edited) for line in settings.lines()))


def _plan_fields(wish: Wish, opened: Opened, call: int) -> Iterator[Field]:
    boundaries = tuple(Point(BOUNDARY, at).words for at in range(len(opened.inspection.boundaries)))
    calls = (Point(CALL, call).words,) if opened.timeline.points else ()
    trigger = default_trigger(wish.variant)
    usual = preset_of(opened.session.index.last_version).name
    preset = wish.preset or usual
    yield _field("start", wish.point.words, END, (END, *calls, *boundaries))
    yield _field("variant", wish.variant, AUTO, tuple(VARIANTS))
    yield _field("trigger", wish.trigger or trigger, trigger, TRIGGERS)
    yield _field("pivot", where_of(wish.pivot, opened))
    yield _field("pins", ", ".join(where_of(pin, opened) for pin in wish.pins))
    yield _field("instructions", wish.instructions)
    yield _field("summarizer", wish.summarizer, OFFLINE, PLAIN)
    yield _field("model", wish.model)
    yield _field("files", wish.files, TRANSCRIPT, FILES)
    yield _field("error", wish.error, TOO_LONG)
    yield _field("notes", wish.notes)
    yield _field("profile", wish.profile, opened.settings.profile, tuple(PROFILES))
    yield _field("preset", preset, usual, tuple(p.name for p in PRESETS), preset_named(preset).about)


def _field(name: str, value: str, default: str = "", choices: tuple[str, ...] = (), more: str = "") -> Field:
    changed = value != default
    about = ABOUT[name] + (f": {more}" if more else "")
    return Field(name, PLAN, value, default, FORM if changed else "default", about, choices, name in FREE, changed)


def _setting_field(line: SettingLine, is_edited: bool) -> Field:
    setting, value = line.setting, line.value
    unit = f" ({setting.unit})" if setting.unit else ""
    choices = setting.choices or (("on", "off") if isinstance(setting.default, bool) else ())
    about = f"{setting.about}{unit}{spelled(setting)}"
    return Field(
        setting.name, setting.group, value_words(value.value), value_words(setting.default), value.origin, about, choices,
        False, is_edited,
    )  # fmt: skip


def spelled(setting: Setting) -> str:
    """The other names of a setting."""
    return f" · there: {', '.join(setting.aliases)}" if setting.aliases else ""


def value_words(value: object) -> str:
    """A setting's value as one writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, int):
        return f"{value:,}"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def where_of(uuid: str, opened: Opened) -> str:
    """A row as one names it: by its line where it has one."""
    place = opened.session.index.find(uuid) if uuid else None
    return str(opened.session.index.lines[place]) if place is not None and not opened.session.is_request else uuid
