"""Where settings come from on the command line: profile, preset of the recorded version, file, environment, flags.

A recorded session is judged by what it recorded; this process's own environment counts only with `--settings env`
(spec 1, section 1).
"""

import argparse
import os
import tomllib
from typing import Any

from ..compaction.profiles import Preset, preset_named, preset_of, resolve
from ..compaction.settings import FILE, Layer, Settings, environment_layer, flag_layer
from ..errors import UsageError
from ..storage import settings_path, settings_text
from ..transcript.session import Session


def settings_from(options: argparse.Namespace, session: Session) -> Settings:
    """The settings in force for a session. Raises UsageError for an unknown name, SessionNotFound for an unreadable file."""
    layers: list[Layer] = []
    if options.settings == "file":
        layers += file_layers()
    elif options.settings == "env":
        layers.append(environment_layer(os.environ))
    now = getattr(options, "now", None)
    layers.append(flag_layer([*options.set, f"now={now}"] if now else options.set))
    return resolve(options.profile, preset_for(options, session), layers)


def preset_for(options: argparse.Namespace, session: Session) -> Preset:
    """The preset that is named, else the one of the last version the session records."""
    named = getattr(options, "preset", None)
    return preset_named(named) if named else preset_of(session.index.last_version)


def file_layers() -> list[Layer]:
    """The user's settings file as a layer; none where there is no such file."""
    values = file_table("settings")
    return [Layer(FILE, values, str(settings_path()))] if values else []


def file_table(name: str) -> dict[str, Any]:
    """A table of the user's settings file; {} where there is none. Raises UsageError for broken TOML and for what is no table."""
    text = settings_text()
    if text is None:
        return {}
    try:
        found = tomllib.loads(text).get(name, {})
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{settings_path()} is not valid TOML ({error}); mend it or use --settings none.") from error
    if not isinstance(found, dict):
        raise UsageError(f"{name} in {settings_path()} is no table: write it as [{name}], one NAME = VALUE a line below it.")
    return found
