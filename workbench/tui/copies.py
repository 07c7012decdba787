"""Where a copy of the session goes: the path that is offered, what was typed as one, and the questions before it is written."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError, WorkbenchError, WriteRefused
from ..storage import SessionFile, never_over
from .jobs import Reader

if TYPE_CHECKING:
    from .screens.session import SessionScreen

UNTOUCHED = "The session itself is never changed. Esc writes nothing."

Write = Callable[[Path, bool], None]  # the path, and whether it may replace what is there


def suggested(reader: Reader, is_request: bool, made: str) -> str:
    """The path of a copy (`made`: repaired, compacted) beside the session; in the working folder for standard input."""
    if not isinstance(reader, SessionFile):
        return f"session.{made}.{'json' if is_request else 'jsonl'}"
    suffix = reader.path.suffix or (".json" if is_request else ".jsonl")
    return str(reader.path.with_name(f"{reader.path.stem}.{made}{suffix}"))


def path_of(text: str, name: str) -> Path:
    """What the user typed as a path; `name` within a folder. Raises UsageError for what no path can be."""
    try:
        path = Path(text.strip()).expanduser()
        path.lstat()
        return path / name if path.is_dir() else path
    except FileNotFoundError:
        return path
    except (OSError, RuntimeError, ValueError) as error:  # an unknown user, a name too long, a NUL
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error).rstrip(".")
        raise UsageError(f"Cannot write {text.strip()[:80]}: {reason.lower()}.") from error


def is_taken(path: Path) -> bool:
    """Whether there is something at a path already. Raises WriteRefused where that cannot be told."""
    try:
        return path.exists() or path.is_symlink()
    except (OSError, ValueError) as error:
        raise WriteRefused(f"Cannot write {path}: {error}.") from error


def ask_where(screen: "SessionScreen", reader: Reader, is_request: bool, made: str, write: Write) -> None:
    """Asks where a copy goes, and again where something is there already; the session itself is refused at once."""
    from .screens.agree import Agree
    from .screens.ask import Ask

    offered = suggested(reader, is_request, made)

    def answered(text: str | None) -> None:
        if text is None or not text.strip():
            return
        try:
            path = path_of(text, Path(offered).name)
            never_over(path, reader.path)
            taken = is_taken(path)
        except WorkbenchError as error:
            screen.notify(str(error), severity="error", timeout=8, markup=False)
            return
        if not taken:
            write(path, False)
            return

        def agreed(yes: bool | None) -> None:
            if yes:
                write(path, True)

        screen.app.push_screen(Agree(f"{path} is there already. Replace it with the {made} copy?"), agreed)

    screen.app.push_screen(Ask(f"Write a {made} copy to", offered, UNTOUCHED), answered)
