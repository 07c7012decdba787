"""Options that several commands share."""

import argparse
from datetime import datetime

from ..compaction.settings import Settings
from ..transcript.chain import Chain
from ..transcript.session import Session
from . import output
from .estimating import NAMES
from .settings import settings_from


def add_common(parser: argparse.ArgumentParser) -> None:
    """PATH and the options of every command (spec 5, "Common")."""
    parser.add_argument("path", metavar="PATH", help="session file, session id or its prefix, Messages API JSON, or -")
    parser.add_argument("--leaf", metavar="UUID", help="another branch: the one that ends at this row")
    parser.add_argument("--estimator", choices=NAMES, default="rough", help="who estimates tokens; default: %(default)s")
    parser.add_argument("--profile", choices=("articles", "observed-2.1.332"), default="articles", help="default: %(default)s")
    parser.add_argument(
        "--settings", choices=("file", "env", "none"), default="file", help="where settings come from; default: %(default)s"
    )
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="one setting")
    parser.add_argument("--now", metavar="TIME", type=time, help="the time that counts as now; default: the last row's")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def time(text: str) -> str:
    """An ISO time as it was given. Raises ArgumentTypeError for any other text."""
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it as 2026-03-01T09:00:00Z") from error
    return text


def chain_of(session: Session, options: argparse.Namespace) -> Chain:
    """The branch that --leaf names, else the one the agent loads."""
    return session.branch(options.leaf) if options.leaf else session.chain


def settings_of(session: Session, options: argparse.Namespace) -> Settings:
    """The settings that count for a recorded session (spec 1, section 1); what is ignored of them is said, once a command."""
    settings = settings_from(options, session)
    told = vars(options).setdefault("told", set())
    for ignored in settings.ignored:
        if ignored not in told:
            told.add(ignored)
            output.complain(ignored.sentence)
    return settings
