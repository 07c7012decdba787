"""The full screen: opens a session, or the session picker where no PATH is given or a folder."""

import argparse
import gc
from typing import TYPE_CHECKING

from ..storage import settings_text

if TYPE_CHECKING:
    from ..compaction.settings import Settings
    from ..transcript.session import Session

HELP = "open the full screen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", metavar="PATH", nargs="?", help="session file or folder, session id or its prefix, or Messages API JSON"
    )
    parser.add_argument("--profile", choices=("articles", "observed-2.1.332"), default="articles", help="default: %(default)s")
    parser.add_argument(
        "--settings", choices=("file", "env", "none"), default="file", help="where settings come from; default: %(default)s"
    )
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="one setting")


def run(options: argparse.Namespace) -> int:
    gc.disable()  # what starting up makes stays: looking through it for garbage took a sixth of the time to the first rows
    from ..tui.app import run_screen

    def settings(session: "Session") -> "Settings":
        from .settings import settings_from

        return settings_from(options, session)

    return run_screen(options.path, settings, user_keys(options), started=collect_again)


def collect_again() -> None:
    """Garbage is looked for from now on, among what is made from now on."""
    gc.freeze()
    gc.enable()


def user_keys(options: argparse.Namespace) -> dict[str, str]:
    """The user's own keys, {binding id: keys}, from the `[keys]` table of the settings file."""
    if options.settings != "file" or settings_text() is None:
        return {}
    from .settings import file_table

    return {str(k): str(v) for k, v in file_table("keys").items()}
