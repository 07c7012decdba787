"""What is wrong with a session, what the API and the agent make of it, and a repaired copy of it (--fix -o OUT)."""

import argparse
from pathlib import Path
from typing import Any

from ..conversation.wording import counted
from ..errors import SessionError, UsageError
from ..evidence.doctor import diagnose
from ..evidence.finding import Diagnosis
from ..export.repair import Repair, repaired
from ..export.repair_report import as_json, as_text
from ..storage import (
    STDIN,
    Fingerprint,
    MemoryFile,
    SessionFile,
    agent_files,
    is_folder,
    load,
    open_session,
    read_index,
    sessions_in,
    write_atomically,
)
from . import output
from .options import add_common, chain_of

OpenFile = SessionFile | MemoryFile
HELP = "what is wrong with a session (or, a line each, with a folder of them); --fix -o OUT writes a repaired copy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.add_argument("--fix", action="store_true", help="write a repaired copy; the session itself is never changed")
    parser.add_argument("-o", "--output", metavar="OUT", help="where the repaired copy goes, - for standard output")
    parser.add_argument("--diff", action="store_true", help="show the whole repair as a diff, however long it is")


def run(options: argparse.Namespace) -> int:
    """Exit 1 where a fault was found, 0 where none was."""
    if options.fix != (options.output is not None):
        raise UsageError("--fix and -o OUT go together: name the file for the repaired copy.")
    if options.path != STDIN and is_folder(options.path):
        if options.fix:
            raise UsageError(f"{options.path} is a folder; name the one session to repair.")
        return _folder(Path(options.path).expanduser(), options)
    if options.fix and options.leaf:
        raise UsageError("--fix repairs the branch that is resumed; leave --leaf out.")
    return _one(open_session(options.path), options)


def _one(file: OpenFile, options: argparse.Namespace) -> int:
    opened = file.fingerprint()
    session = read_index(file)
    found = diagnose(session, chain_of(session, options), agents=agents_of(file))
    repair = repaired(session) if (found.repairable or options.fix) and not options.leaf else None
    if repair is not None and repair.leaves_nothing:
        found = found.beyond_repair()
    if repair is not None and options.output == "-":
        output.write_bytes(b"".join(repair.chunks()))
        return _code(found)
    value = as_json(found, repair)
    if repair is not None and options.fix:
        value["written"] = written(file, opened, repair, Path(options.output))
    if options.json:
        output.write_json(value)
    else:
        output.write_lines(as_text(found, repair, whole_diff=options.diff))
        if "written" in value:
            output.write_lines(["", _outcome(value["written"])])
    return _code(found)


def agents_of(file: OpenFile) -> set[str] | None:
    """The ids of the sub-agents whose files are beside a session; None where it is no file."""
    return set(agent_files(file.path)) if isinstance(file, SessionFile) else None


def written(file: OpenFile, opened: Fingerprint, repair: Repair, path: Path) -> dict[str, Any]:
    """Writes the repaired copy, reads it back and looks at it again. Raises ChangedMeanwhile, WriteRefused."""
    file.check_unchanged(opened)
    write_atomically(path, b"".join(repair.chunks()), never=file.path)
    again = diagnose(load(str(path)))
    return {
        "path": str(path),
        "changes": len(repair.changes),
        "faults_left": again.counts,
        "repairable_left": len(again.repairable),
    }


def _outcome(done: dict[str, Any]) -> str:
    left = sum(done["faults_left"].values())
    checked = "no fault is left" if not left else f"{left:,} left that cannot be repaired: {', '.join(done['faults_left'])}"
    if done["repairable_left"]:
        checked = f"still there: {counted(done['repairable_left'], 'repairable fault')}"
    changes = counted(done["changes"], "change")
    return f"{done['path']} is written, {changes}; read back and checked: {checked}."


def _folder(folder: Path, options: argparse.Namespace) -> int:
    """One line a session; one that cannot be read says so and stops nothing."""
    rows = [["session", "faults", "repairable", "kinds"]]
    values: list[dict[str, Any]] = []
    code = 0
    for path in sessions_in(folder):
        try:
            found = diagnose(load(str(path)))
        except SessionError as error:
            output.complain(str(error))
            values.append({"path": str(path), "error": str(error)})
            continue
        code |= _code(found)
        values.append({"path": str(path), **as_json(found, None)})
        kinds = ", ".join(f"{kind} {count}" for kind, count in found.counts.items())
        rows.append([path.stem, str(len(found.findings)), str(len(found.repairable)), kinds])
    if options.json:
        output.write_json({"sessions": values})
    elif values:
        output.write_lines(output.table(rows, right=(1, 2)))
    else:
        output.write_lines([f"There is no session file in {folder}."])
    return code


def _code(found: Diagnosis) -> int:
    return 1 if found.findings else 0
