"""Every number with where it comes from: settings are layered, weakest first, and remember what did not count.

    default < profile < version preset < session < file < environment < flag

A value that cannot be read is no error: the agent ignores it too. It is kept in `ignored` with the reason, and shown.
A name that does not exist is an error that names the nearest one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from ..errors import UsageError
from .reading import Unreadable
from .setting_table import GROUPS, SETTINGS, SPREAD, Setting

DEFAULT, PROFILE, PRESET, SESSION = "default", "profile", "preset", "session"
FILE, ENVIRONMENT, FLAG, VARIANT = "file", "environment", "flag", "variant"

TABLE: Mapping[str, Setting] = MappingProxyType({s.name: s for s in SETTINGS})
_ALIASES: dict[str, tuple[str, ...]] = {a: (s.name,) for s in SETTINGS for a in s.aliases}
SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType({n: (n,) for n in TABLE} | _ALIASES | SPREAD)
FROM_ENVIRONMENT = tuple(n for n in SPELLINGS if n.isupper())  # the names that an environment may set


@dataclass(frozen=True, slots=True)
class Value:
    """A value and its provenance: `source` is the kind of layer, `detail` which one (a profile's name, a spelling)."""

    value: Any
    source: str = DEFAULT
    detail: str = ""

    @property
    def origin(self) -> str:
        """The provenance in words: "preset until-2.1.20"."""
        return f"{self.source} {self.detail}".strip()


@dataclass(frozen=True, slots=True)
class Layer:
    """Values as given, under any accepted spelling; a group's values may stand in a mapping under its name."""

    source: str
    values: Mapping[str, object]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A value that was given and does not count."""

    name: str
    given: str
    source: str
    reason: str
    detail: str = ""

    @property
    def sentence(self) -> str:
        where = f"{self.source} {self.detail}".strip()
        return f"{self.name}={self.given} ({where}) is ignored: it {self.reason}."


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One line of a form: what it is, what it would be without layers, what it is now and why."""

    setting: Setting
    value: Value

    @property
    def is_changed(self) -> bool:
        return bool(self.value.value != self.setting.default)


@dataclass(frozen=True, slots=True)
class Settings(Mapping[str, Value]):
    """All settings in force, by name, in the order of the table."""

    entries: tuple[Value, ...] = tuple(Value(s.default) for s in SETTINGS)
    ignored: tuple[Ignored, ...] = ()
    profile: str = ""
    preset: str = ""
    _by_name: Mapping[str, Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", dict(zip(TABLE, self.entries, strict=True)))

    def __getitem__(self, name: str) -> Value:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(TABLE)

    def __len__(self) -> int:
        return len(TABLE)

    def number(self, name: str) -> int:
        """A whole number. Raises TypeError when the setting is of another kind, as the other accessors do."""
        value = self._by_name[name].value
        if type(value) is not int:
            raise TypeError(f"{name} holds {value!r}, no whole number")
        return value

    def number_or_none(self, name: str) -> int | None:
        return None if self._by_name[name].value is None else self.number(name)

    def real(self, name: str) -> float:
        return float(self._by_name[name].value)

    def real_or_none(self, name: str) -> float | None:
        return None if self._by_name[name].value is None else self.real(name)

    def on(self, name: str) -> bool:
        """A switch."""
        value = self._by_name[name].value
        if type(value) is not bool:
            raise TypeError(f"{name} holds {value!r}, no switch")
        return value

    def text(self, name: str) -> str:
        return str(self._by_name[name].value)

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._by_name[name].value)

    def lines(self) -> tuple[SettingLine, ...]:
        """Every setting for a form or `--help`, in the order of the table."""
        return tuple(SettingLine(s, self._by_name[s.name]) for s in SETTINGS)

    def layered(self, layer: Layer) -> "Settings":
        """The settings with one more layer on top. Raises UsageError for a name that does not exist."""
        given = _given_of_file(layer) if layer.source == FILE and layer.detail else _given(layer)
        values = {name: v.value for name, v in self._by_name.items()}
        entries = dict(self._by_name)
        ignored: list[Ignored] = []
        for name, setting in TABLE.items():  # in the table's order: a reader may look at earlier settings
            if name not in given:
                continue
            spelling, raw = given[name]
            try:
                values[name] = setting.read(raw, values)
            except Unreadable as reason:
                ignored.append(Ignored(spelling, str(raw), layer.source, str(reason), layer.detail))
                continue
            entries[name] = Value(values[name], layer.source, layer.detail or (spelling if spelling != name else ""))
        return replace(self, entries=tuple(entries.values()), ignored=self.ignored + tuple(ignored))


def environment_layer(variables: Mapping[str, str]) -> Layer:
    """The layer of the variables that are settings; all others are none of our business."""
    return Layer(ENVIRONMENT, {n: variables[n] for n in FROM_ENVIRONMENT if n in variables})


def flag_layer(pairs: Iterable[str]) -> Layer:
    """The layer of `NAME=VALUE` texts, a later one wins. Raises UsageError for one without `=`."""
    values: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"Write a setting as NAME=VALUE, not {pair!r}.")
        values[name.strip()] = value
    return Layer(FLAG, values)


def names_of(spelling: str) -> tuple[str, ...]:
    """The settings that a spelling stands for. Raises UsageError naming the nearest one."""
    found = SPELLINGS.get(spelling)
    if found is None:
        near = get_close_matches(spelling, SPELLINGS, n=1, cutoff=0.0)
        raise UsageError(f"There is no setting {spelling!r}; the nearest is {near[0]}.")
    return found


def _given_of_file(layer: Layer) -> dict[str, tuple[str, object]]:
    """The same; a name that does not exist is told with the file that holds it."""
    try:
        return _given(layer)
    except UsageError as error:
        raise UsageError(f"{layer.detail}: {error}") from error


def _given(layer: Layer) -> dict[str, tuple[str, object]]:
    """{name: (spelling, value)} of a layer, groups opened."""
    found: dict[str, tuple[str, object]] = {}
    for spelling, value in layer.values.items():
        if spelling in GROUPS and isinstance(value, Mapping):
            inner = {GROUPS[spelling] + str(k): v for k, v in value.items()}
            found |= _given(Layer(layer.source, inner))
            continue
        if spelling in GROUPS:
            raise UsageError(f"{spelling} is a group of settings: give its fields, not {value!r}.")
        found |= dict.fromkeys(names_of(spelling), (spelling, value))
    return found
