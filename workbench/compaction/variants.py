"""The ways to compact that a user can name; naming one counts as switching it on (spec 1, section 3; spec 5, compact)."""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from ..errors import UsageError
from .settings import VARIANT, Layer, Settings

AUTO, SESSION_MEMORY, FULL, FROM, UP_TO = "auto", "session-memory", "full", "from", "up-to"
MICRO_TIME, MICRO_CACHED, REACTIVE, FOLD = "micro-time", "micro-cached", "reactive", "fold"

VARIANTS: Mapping[str, Mapping[str, object]] = MappingProxyType(  # name -> the settings it switches on
    {
        AUTO: {},
        SESSION_MEMORY: {"sessionMemory": True},
        FULL: {},
        FROM: {},
        UP_TO: {},
        MICRO_TIME: {"timeBased.enabled": True},
        MICRO_CACHED: {"cached.enabled": True},
        REACTIVE: {"reactive": True},
        FOLD: {"collapse": True},
    }
)


def switched_on(variant: str, settings: Settings) -> Settings:
    """The settings with what the variant needs. Raises UsageError for an unknown variant, naming the nearest."""
    if variant not in VARIANTS:
        near = get_close_matches(variant, VARIANTS, n=1, cutoff=0.0)[0]
        raise UsageError(f"There is no variant {variant!r}; the nearest is {near}, the others are {', '.join(VARIANTS)}.")
    return settings.layered(Layer(VARIANT, VARIANTS[variant], variant))


def default_trigger(variant: str) -> str:
    """auto for what fires by itself, else manual."""
    return "auto" if variant in (AUTO, REACTIVE) else "manual"
