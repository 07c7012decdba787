"""Files read, edited and written since the boundary, with the newest contents that the transcript holds."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..paths import expanded, role_of
from ..working_set import TRANSCRIPT, UNKNOWN, SeenFile
from .contents import Contents, Stretch, edited, read, whole
from .events import Attached, Call, Event, Record, items, string

EDITS = ("Edit", "MultiEdit")
WRITERS = (*EDITS, "Write", "NotebookEdit")
FILE_KINDS = ("file", "already_read_file")
_NUMBERED = re.compile(r" *(\d+)[\t→](.*)")
_LONGEST_READ = 2_000  # lines that a read without a limit shows


@dataclass(slots=True)
class _Draft:
    """A file while the events go by."""

    path: str
    contents: Contents | None = None
    calls: dict[str, None] = field(default_factory=dict)
    shown: dict[str, None] = field(default_factory=dict)
    order: int = 0
    touched: int = 0
    is_large: bool = False
    why: str = ""


def seen_files(events: Iterable[Event], cwd: str | None, plan: str | None) -> tuple[SeenFile, ...]:
    """Every file in the read-file state, in the order of the first look; a file only seen in cleared reads is forgotten.

    Paths that name the same file after expansion are one file, under the name it had last.
    """
    drafts: dict[str, _Draft] = {}
    for event in events:
        if isinstance(event, Call) and not event.failed:
            _take_call(drafts, event, cwd)
        elif isinstance(event, Attached):
            _take_attachment(drafts, event, cwd)
    return tuple(_finished(d, role_of(key, plan)) for key, d in drafts.items() if d.order)


def _take_call(drafts: dict[str, _Draft], call: Call, cwd: str | None) -> None:
    path = _path(call)
    if not path:
        return
    if call.name == "Read":
        draft = _draft(drafts, path, cwd)
        _read(draft, call)
        if not call.cleared:
            draft.order = call.order
    elif call.name in WRITERS:
        draft = _draft(drafts, path, cwd)
        _write(draft, call)
        draft.order = draft.touched = call.order


def _path(call: Call) -> str:
    """The file a call is about; the input's spelling where the agent recorded none."""
    file = call.detail.get("file")
    told = file.get("filePath") if isinstance(file, dict) else call.detail.get("filePath")
    return string(told) or string(call.input.get("file_path")) or string(call.input.get("notebook_path"))


def _draft(drafts: dict[str, _Draft], path: str, cwd: str | None) -> _Draft:
    draft = drafts.setdefault(expanded(path, cwd), _Draft(path))
    draft.path = path
    return draft


def _read(draft: _Draft, call: Call) -> None:
    kind = string(call.detail.get("type"))
    found = _text_of_record(call.detail.get("file")) if kind == "text" else None if kind else _text_of_result(call)
    if found is None and kind in ("", "text", "file_unchanged"):  # a mere word, such as that nothing changed: it shows nothing
        draft.why = draft.why or "no result of a read shows it"
        return
    if not call.cleared:
        draft.calls[call.id] = None
    if found is None:
        draft.contents, draft.why = None, f"its contents are not text ({kind})"
        return
    stretch, total = found
    draft.contents, draft.why, draft.is_large = read(draft.contents, stretch.first, stretch.text, total), "as it was read", False


def _text_of_record(file: object) -> tuple[Stretch, int | None] | None:
    """The lines that a record of a read holds, and how many the file has; None where it holds no text."""
    text = file.get("content") if isinstance(file, dict) else None
    if not isinstance(file, dict) or not isinstance(text, str):
        return None
    first, total = file.get("startLine"), file.get("totalLines")
    stretch = Stretch(max(first, 1) if isinstance(first, int) else 1, text)
    total = max(total, 1) if isinstance(total, int) else None  # an empty file has one line here, and none there
    if total is not None and stretch.first > total:
        return None
    return stretch, total if total is not None and total >= stretch.last else None


def _text_of_result(call: Call) -> tuple[Stretch, int | None] | None:
    """Where only the result was recorded: its numbered lines, as long as they follow each other."""
    first, lines = 0, list[str]()
    for line in call.text.split("\n"):
        found = _NUMBERED.fullmatch(line)
        if found is None:
            if lines:
                break
            continue
        first = first or int(found[1])
        if int(found[1]) != first + len(lines):
            break
        lines.append(found[2])
    if not lines:
        return None
    asked = any(call.input.get(name) is not None for name in ("offset", "limit", "pages"))
    is_whole = first == 1 and not asked and len(lines) < _LONGEST_READ
    return Stretch(first, "\n".join(lines)), len(lines) if is_whole else None


def _write(draft: _Draft, call: Call) -> None:
    if call.name == "Write":
        text = call.detail.get("content", call.input.get("content"))
        draft.contents, draft.why = (whole(text) if isinstance(text, str) else None), "as it was written"
        return
    known = draft.contents
    original = call.detail.get("originalFile", call.detail.get("originalFileContents"))
    if isinstance(original, str):
        known = whole(original)
    changes = items(call.detail.get("edits")) or items(call.input.get("edits")) or [call.detail or call.input]
    grown = _grown(call.detail) if len(changes) == 1 else None
    for change in changes if call.name in EDITS else ():
        old, new = _either(change, call, "old"), _either(change, call, "new")
        everywhere = (change.get("replaceAll") or change.get("replace_all")) is True
        known = edited(known, old, new, everywhere=everywhere, grown=grown)
    draft.contents = known if call.name in EDITS else None
    draft.why = "as it was edited" if draft.contents is not None else "it was edited without being known before"


def _either(change: Record, call: Call, which: str) -> str:
    for source in (change, call.input):
        for name in (f"{which}String", f"{which}_string"):
            if isinstance(source.get(name), str):
                return str(source[name])
    return ""


def _grown(detail: Record) -> int | None:
    hunks = items(detail.get("structuredPatch"))
    counts = [(h.get("newLines"), h.get("oldLines")) for h in hunks]
    whole_numbers = [(n, o) for n, o in counts if isinstance(n, int) and isinstance(o, int)]
    return sum(n - o for n, o in whole_numbers) if hunks and len(whole_numbers) == len(hunks) else None


def _take_attachment(drafts: dict[str, _Draft], event: Attached, cwd: str | None) -> None:
    path = string(event.fields.get("filename"))
    if not path or event.kind not in (*FILE_KINDS, "compact_file_reference", "edited_text_file"):
        return
    draft = _draft(drafts, path, cwd)
    draft.order = event.order
    if event.kind == "edited_text_file":
        draft.touched, draft.contents = event.order, None
        draft.why = "somebody else changed it, and only a piece of it was shown"
    elif event.kind == "compact_file_reference":
        draft.is_large, draft.contents = True, None
        draft.why = "the last compaction only named it: it was over the budget then"
    else:
        _restored(draft, event)


def _restored(draft: _Draft, event: Attached) -> None:
    content = event.fields.get("content")
    found = _text_of_record(content.get("file") if isinstance(content, dict) else None)
    draft.shown[event.row.uuid] = None
    if found is not None:
        stretch, total = found
        draft.contents, draft.is_large = read(draft.contents, stretch.first, stretch.text, total), False
        draft.why = "as it was attached"
    else:
        draft.contents, draft.why = None, "what was attached of it is not text"


def _finished(draft: _Draft, role: str) -> SeenFile:
    known = draft.contents
    return SeenFile(
        draft.path, known.text if known is not None else None, TRANSCRIPT if known is not None else UNKNOWN, tuple(draft.calls),
        draft.touched > 0, draft.order, draft.touched, role, known.lines if known is not None else (),
        known.total if known is not None else None, tuple(draft.shown), draft.is_large, draft.why,
    )  # fmt: skip
