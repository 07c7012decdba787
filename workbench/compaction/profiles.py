"""Whose behaviour is reproduced: the agent of the articles or today's, and what its version alone says of the reserve.

A profile holds every setting in which the two differ (spec 6, section 2), so that a difference is a value with a
provenance and never a branch on a name. A preset is what the recorded version changes (spec 1, section 1).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import MappingProxyType

from ..errors import UsageError
from .settings import PRESET, PROFILE, Layer, Settings

ARTICLES, OBSERVED = "articles", "observed-2.1.332"

PROFILES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        ARTICLES: {
            "windowSyntax": "integer",
            "windowMinimum": 0,
            "windowMaximum": 0,
            "firesOnlyWithWindow": False,
            "summaryMaxTokens": 20_000,
            "untaggedSummary": "rest",
            "keepLastRound": False,
            "firstCompactionRounds": 0,
            "manualGoesOn": False,
            "tooLongRetry": "drop-oldest",
            "maxRetries": 3,
            "restoreOrder": "last-read",
            "restoreLargeFile": "cut",
            "reactiveSizing": "gap",
        },
        OBSERVED: {
            "windowSyntax": "suffix",
            "windowMinimum": 100_000,
            "windowMaximum": 1_000_000,
            "firesOnlyWithWindow": True,
            "summaryMaxTokens": 32_000,
            "untaggedSummary": "as-is",
            "keepLastRound": True,
            "firstCompactionRounds": 2,
            "manualGoesOn": True,
            "tooLongRetry": "shorter-prefix",
            "maxRetries": 5,  # up to 6 requests within one attempt
            "restoreOrder": "modified",
            "restoreLargeFile": "reference",
            "reactiveSizing": "fits",
        },
    }
)


@dataclass(frozen=True, slots=True)
class Preset:
    """What a version of the agent did otherwise: the reserve in tokens; `guess` where no session of it was measured.

    constant  the reserve stays even where the model's largest output is smaller
    """

    name: str
    reserve: int
    constant: bool
    guess: bool
    about: str

    @property
    def values(self) -> Mapping[str, object]:
        return {"summaryReserve": self.reserve, "reserveIsConstant": self.constant}


UNTIL_20 = Preset("until-2.1.20", 32_000, True, False, "the reserve is the constant 32,000")
UNTIL_24 = Preset("2.1.21-2.1.24", 20_000, False, True, "the reserve is 20,000: a guess, these versions were not measured")
SINCE_25 = Preset("since-2.1.25", 20_000, False, False, "the reserve is 20,000, or the model's largest output if less")
UNKNOWN = Preset("unknown-version", 20_000, False, True, "no version is recorded: the reserve is taken as 20,000")
PRESETS = (UNTIL_20, UNTIL_24, SINCE_25, UNKNOWN)

_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")


def preset_of(version: str | None) -> Preset:
    """The preset for the version that a session records; of anything that is no version, the unknown one."""
    found = _VERSION.match(version or "")
    if found is None:
        return UNKNOWN
    number = tuple(int(part) for part in found.groups())
    if number <= (2, 1, 20):
        return UNTIL_20
    return UNTIL_24 if number <= (2, 1, 24) else SINCE_25


def preset_named(name: str) -> Preset:
    """A preset by its name, or by a version. Raises UsageError naming the nearest."""
    for preset in PRESETS:
        if preset.name == name:
            return preset
    if _VERSION.fullmatch(name):
        return preset_of(name)
    raise UsageError(f"There is no preset {name!r}; {_nearest(name, [p.name for p in PRESETS])}")


def resolve(profile: str = ARTICLES, preset: Preset | None = None, layers: Iterable[Layer] = ()) -> Settings:
    """The settings in force: defaults, the profile, the preset, then the layers, weakest first.

    Raises UsageError for an unknown profile or an unknown name in a layer.
    """
    if profile not in PROFILES:
        raise UsageError(f"There is no profile {profile!r}; {_nearest(profile, list(PROFILES))}")
    settings = Settings(profile=profile).layered(Layer(PROFILE, PROFILES[profile], profile))
    if preset is not None:
        settings = replace(settings.layered(Layer(PRESET, preset.values, preset.name)), preset=preset.name)
    for layer in layers:
        settings = settings.layered(layer)
    return settings


def _nearest(name: str, names: list[str]) -> str:
    return f"the nearest is {get_close_matches(name, names, n=1, cutoff=0.0)[0]}, the others are {', '.join(names)}."
