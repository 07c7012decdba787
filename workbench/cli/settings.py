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
from ..storage import read_text, settings_path
from ..transcript.session import Session


def settings_from(options: argparse.Namespace, session: Session) -> Settings:
    """The settings in force for a session. Raises UsageError for an unknown name, SessionNotFound for an unreadable file."""
    layers: list[Layer] = []
    if options.settings == "file":
        layers += file_layers()
    elif options.settings == "env":
        layers.append(environment_layer(os.environ))
    layers.append(flag_layer(options.set))
    return resolve(options.profile, preset_for(options, session), layers)


def preset_for(options: argparse.Namespace, session: Session) -> Preset:
    """The preset that is named, else the one of the last version the session records."""
    named = getattr(options, "preset", None)
    return preset_named(named) if named else preset_of(session.index.last_version)


def file_layers() -> list[Layer]:
    """The user's settings file as a layer; none where there is no such file."""
    values = file_values()
    return [Layer(FILE, values["settings"], str(settings_path()))] if isinstance(values.get("settings"), dict) else []


def file_values() -> dict[str, Any]:
    """The tables of the user's settings file; {} where there is none. Raises UsageError for broken TOML."""
    path = settings_path()
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML ({error}); mend it or use --settings none.") from error
