"""Write out what the agent would send: the messages as Messages API JSON."""

import argparse
from pathlib import Path

from ..conversation.row import Message
from ..errors import UsageError
from ..export.messages import as_request, messages_to_send
from ..storage import load, write_atomically
from ..transcript.session import Session
from . import output
from .options import add_common, chain_of

HELP = "write out the messages the agent would send"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--as", dest="form", choices=("messages",), required=True, help="the form to write")
    parser.add_argument("--at", type=int, metavar="LINE", help="the state right before this physical line")
    parser.add_argument(
        "--recorded", choices=("use", "ignore"), default="use", help="a recorded request is the answer; default: %(default)s"
    )
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the file to write, - for standard output")


def run(options: argparse.Namespace) -> int:
    session = load(options.path)
    if options.at is not None and options.leaf:
        raise UsageError("--at and --leaf exclude each other: the state before a line has one branch.")
    value = as_request(export_messages(session, options), session)
    data = output.json_bytes(value, indent=None if options.json else 1)
    if options.output == "-":
        output.write_bytes(data + b"\n")
    else:
        write_atomically(Path(options.output), data + b"\n", never=getattr(session.reader, "path", None))
    return 0


def export_messages(session: Session, options: argparse.Namespace) -> tuple[Message, ...]:
    """The recorded request where there is one (and it is wanted), else our own assembly with the agent's repairs."""
    if options.at is not None:
        recorded = session.recorded_at(options.at) if options.recorded == "use" else None
        if recorded is not None:
            return recorded
        return messages_to_send(session, session.chain_at(options.at))
    return messages_to_send(session, chain_of(session, options))
