"""The user's own editor, at the edge: a copy of a text is opened in it and read back when it ends.

The command is VISUAL or EDITOR of the environment, split like a shell would; no shell runs.
"""

import os
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .errors import UsageError
from .storage import read_bytes, write_atomically


@dataclass(frozen=True, slots=True)
class Edited:
    """The copy and what stands in it now; it stays on disk until `forget`, so that a refused save loses nothing."""

    path: Path
    content: bytes

    def forget(self) -> None:
        """Removes the copy and its folder."""
        self.path.unlink(missing_ok=True)
        self.path.parent.rmdir()


def editor_command() -> list[str]:
    """The editor's command line in words. Raises UsageError where none is set or it cannot be read."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"EDITOR cannot be read ({error}); check its quotes.") from error
    if not words:
        raise UsageError("No editor is set; set EDITOR to one that waits until the file is closed, such as EDITOR=vi.")
    return words


def edit(content: bytes, name: str) -> Edited:
    """Opens a copy named `name` and waits until the editor ends. Raises UsageError where it cannot run or fails."""
    words = editor_command()
    path = Path(tempfile.mkdtemp(prefix="workbench-")) / name
    write_atomically(path, content)
    try:
        status = subprocess.run([*words, str(path)], check=False).returncode
    except OSError as error:
        Edited(path, content).forget()
        raise UsageError(f"{words[0]} cannot be run: {(error.strerror or str(error)).lower()}; check EDITOR.") from error
    edited = Edited(path, read_bytes(path))
    if status:
        if edited.content == content:
            edited.forget()
        raise UsageError(f"{words[0]} ended with status {status}, so nothing was saved{_where(edited, content)}.")
    return edited


def _where(edited: Edited, content: bytes) -> str:
    return "" if edited.content == content else f"; the text is in {edited.path}"
