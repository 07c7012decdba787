"""The arithmetic between a window and its threshold, in tokens (spec 1, section 1).

effective = window - reserve        threshold = effective - buffer, or a percentage of effective where that is less
"""

from math import floor

from .models import Model
from .profiles import preset_of
from .settings import Settings


def limited(window: int, settings: Settings) -> int:
    """The window after the override, which only makes it smaller."""
    override = settings.number_or_none("autoCompactWindow")
    return window if override is None else min(window, override)


def fires_at(limit: int, reserve: int, buffer: int, settings: Settings) -> int:
    """The threshold of a window already limited: the smaller of what the buffer and what the percentage leave."""
    effective = limit - reserve
    percent = settings.real_or_none("autoCompactPercent")
    return effective - buffer if percent is None else min(floor(effective * percent / 100), effective - buffer)


def reserve_of(settings: Settings, model: Model | None) -> int:
    """min(model max output, reserve), or the constant of the old versions."""
    return _capped(settings.number("summaryReserve"), settings.on("reserveIsConstant"), settings, model)


def reserve_of_version(version: str | None, settings: Settings, model: Model | None) -> int:
    """The reserve of the version that compacted, whatever the session's last version is."""
    if not version:
        return reserve_of(settings, model)
    preset = preset_of(version)
    return _capped(preset.reserve, preset.constant, settings, model)


def summary_tokens(settings: Settings, model: Model | None) -> int:
    """max_tokens of a summary request: the setting, at most the model's largest output (section 6.2)."""
    return _capped(settings.number("summaryMaxTokens"), False, settings, model)


def _capped(reserve: int, constant: bool, settings: Settings, model: Model | None) -> int:
    output = settings.number_or_none("maxOutputTokens") or (model.max_output if model else None)
    return reserve if constant or output is None else min(output, reserve)
