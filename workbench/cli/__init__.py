"""The command line (spec 5): `workbench [PATH]` opens the screen, `workbench COMMAND PATH` prints or does one thing.

Exit codes: 0 done; 1 done, and it found what it looks for; 2 wrong use or unreadable input, with one sentence on stderr.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from .. import __version__
from ..errors import UsageError, WorkbenchError
from . import output

COMMANDS = ("inspect", "doctor", "timeline", "compact", "notes", "explain", "replay", "loss", "export")
ABOUT = "Inspects the sessions of coding agents and compacts them by hand. Without a COMMAND, PATH is opened on the full screen."
EPILOG = "PATH: a session file, a session id or its prefix, Messages API JSON, or - for standard input."


class Parser(argparse.ArgumentParser):
    """One that says what is wrong in one sentence, as every other error is told."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}; see `{self.prog} --help`.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; never raises for bad input."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parser_for(given).parse_args(given)
        code: int = options.run(options)
    except SystemExit as stop:  # help or the version was asked for
        return stop.code if isinstance(stop.code, int) else 2
    except WorkbenchError as error:
        output.complain(str(error))
        return 2
    except RecursionError:
        output.complain("A value in the session is nested too deeply to be handled.")
        return 2
    except BrokenPipeError:
        output.hush()
        return 0
    except KeyboardInterrupt:
        output.complain("Stopped.")
        return 130
    return code


def parser_for(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser for a command line: only the module of the command that is named is loaded."""
    parser = Parser(prog="workbench", description=ABOUT, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    named = next((word for word in given if not word.startswith("-") or word == "-"), None)
    if named in COMMANDS or (named is None and {"-h", "--help"} & set(given)):
        parser.usage = "workbench [PATH]\n       workbench COMMAND PATH [OPTIONS]"
        commands = parser.add_subparsers(metavar="COMMAND", prog=parser.prog)
        for name in COMMANDS if named is None else (named,):
            module = import_module(f".{name}", __package__)
            sub = commands.add_parser(name, help=module.HELP, description=module.__doc__, epilog=EPILOG)
            if name == named:
                module.add_arguments(sub)
                sub.set_defaults(run=module.run)
        parser.set_defaults(run=lambda _: 0)
        return parser
    screen = import_module(".screen", __package__)
    screen.add_arguments(parser)
    parser.set_defaults(run=screen.run)
    return parser
