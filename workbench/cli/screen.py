"""The full screen: opens a session, or the session picker where no PATH is given."""

import argparse

HELP = "open the full screen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="session file, session id or its prefix, or Messages API JSON")
    parser.add_argument("--profile", choices=("articles", "observed-2.1.332"), default="articles", help="default: %(default)s")
    parser.add_argument("--settings", choices=("file", "env", "none"), default="file", help="where settings come from; default: %(default)s")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="one setting")


def run(options: argparse.Namespace) -> int:
    from ..tui.app import run_screen

    return run_screen(options)
