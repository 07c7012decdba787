"""The disk: which file a name means, what happens to a file while it is open, and writing that is whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import call, file_of, reply, result, user
from tests.ordinary import ordinary_user
from workbench import storage
from workbench.compaction.settings import Settings
from workbench.errors import ChangedMeanwhile, NotASession, SessionNotFound, UsageError, WriteRefused
from workbench.evidence.inspection import inspect
from workbench.finding import find
from workbench.storage import CHUNK, MemoryFile, SessionFile, open_session, read_index, resolve, session_of, write_atomically
from workbench.transcript.index import Index

TALK = file_of(user(1, "go"), reply(2, call("a")), user(3, result("a", "x" * 500)), reply(4, "done"))
ID = "7f3c1a52-0000-4000-8000-000000000001"


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the agent keeps sessions: two of one project, one of another."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "config" / "projects"
    for project, name in (("-home-ada", ID), ("-home-ada", "7f3c9999-x"), ("-home-bob", "b0b-y")):
        path = folder / project / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TALK)
    return folder


def refused(name: str) -> str:
    with pytest.raises((SessionNotFound, UsageError)) as caught:
        open_session(name)
    sentence = str(caught.value)
    assert sentence.endswith(".") and "\n" not in sentence
    return sentence


# names


def test_a_path_is_the_file_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(TALK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (str(path), "s.jsonl", "./s.jsonl", "~/s.jsonl"):
        assert open_session(name).read(0, 10) == TALK[:10]


@pytest.mark.parametrize("name", [ID, ID[:8], "7f3c1", "b0b", "b0b-y"])
def test_a_session_is_found_by_its_id_or_the_beginning_of_it(name: str, projects: Path) -> None:
    assert resolve(name).stem.startswith(name)


def test_without_the_variable_the_sessions_are_at_home(projects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "config").rename(tmp_path / ".claude")
    assert resolve(ID) == tmp_path / ".claude" / "projects" / "-home-ada" / f"{ID}.jsonl"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "")
    assert resolve(ID).is_file()


def test_a_file_of_that_name_comes_before_a_session_of_that_id(
    projects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b0b").write_bytes(TALK)
    assert resolve("b0b") == Path("b0b")


def test_a_beginning_that_several_ids_share_asks_for_more(projects: Path) -> None:
    assert refused("7f3c") == f"2 sessions begin with 7f3c ({ID}, 7f3c9999-x); give more of the id."


def test_many_candidates_are_told_in_part(projects: Path) -> None:
    for number in range(9):
        (projects / "-home-ada" / f"many-{number}.jsonl").write_bytes(TALK)
    assert refused("many") == "9 sessions begin with many (many-0, many-1, many-2, many-3, …); give more of the id."


def test_a_whole_id_is_never_ambiguous(projects: Path) -> None:
    (projects / "-home-bob" / "b0b-y-2.jsonl").write_bytes(TALK)
    assert resolve("b0b-y").name == "b0b-y.jsonl"


def test_a_session_that_was_copied_is_chosen_by_its_path(projects: Path) -> None:
    copy = projects / "-home-bob" / f"{ID}.jsonl"
    copy.write_bytes(TALK)
    sentence = refused(ID)
    assert sentence.endswith("; give the path of one.") and str(copy) in sentence


@pytest.mark.parametrize("name", ["nobody", "*", "?", "[a]", "b[0]b", "\udcff", "x" * 5000, "a\0b", "~nobody-here/x"])
def test_what_is_nowhere_is_said(name: str, projects: Path) -> None:
    assert refused(name).startswith("There is no file ")


@pytest.mark.parametrize("name", ["missing.jsonl", "some/where", "request.json"])
def test_what_is_meant_as_a_path_is_not_looked_for_among_the_ids(name: str, projects: Path) -> None:
    assert refused(name) == f"There is no file {name}; give the path of a session file or a session id."


def test_without_any_projects_the_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nowhere"))
    assert refused("b0b") == f"There is no file b0b and no session with that id under {tmp_path}/nowhere/projects."


# what is no session file


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize("make", [Path.mkdir, make_fifo, make_socket])
def test_what_is_no_file_is_not_waited_for(make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path("odd"))
    said = refused("odd")
    assert said.startswith(("odd is a folder, not a file; ", "odd is not a file; ")) and said.endswith(".")


def test_nor_is_a_device() -> None:
    assert refused("/dev/null").startswith("/dev/null is not a file; ")


def test_a_link_that_leads_nowhere_is_said(tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to("gone")
    assert refused(str(tmp_path / "link.jsonl")).startswith("There is no file ")


def test_what_may_not_be_read_is_said() -> None:
    with ordinary_user() as folder:
        path = folder / "s.jsonl"
        path.write_bytes(TALK)
        path.chmod(0)
        assert refused(str(path)) == f"Cannot read {path}: permission denied."
        path.chmod(0o600)
        folder.chmod(0)
        assert refused(str(path)) == f"Cannot read {path}: permission denied."


def test_a_disk_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.jsonl").write_bytes(TALK)
    file = SessionFile(tmp_path / "s.jsonl")

    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pread", fail)
    with pytest.raises(SessionNotFound, match=r"Cannot read .*s\.jsonl: input/output error\."):
        file.read(0, 1)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"x\n", "no session record in 1 line;"),
        (b"x\ny\n", "no session record in 2 lines;"),
    ],
)
def test_a_file_that_holds_nothing_is_no_session(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    with pytest.raises(NotASession, match=rf"^s\.jsonl .*{why}"):
        read_index(path)


# standard input


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TALK)))
    file = open_session("-")
    assert (file.name, file.read(0, len(TALK))) == ("standard input", TALK)
    assert len(read_index(file).index) == 4


def test_a_closed_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert refused("-").startswith("There is no standard input; ")


def test_a_standard_input_that_fails_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.RawIOBase):
        def readall(self) -> bytes:
            raise OSError(errno.EISDIR, "Is a directory")

    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": Broken()}))
    assert refused("-") == "Cannot read standard input: is a directory."


# a file while it is open


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s.jsonl"
    path.write_bytes(TALK)
    return path


def test_reading_gives_what_is_there(path: Path) -> None:
    file = SessionFile(path)
    assert file.read(0, 5) == TALK[:5]
    assert file.read(len(TALK) - 3, 100) == TALK[-3:]
    assert file.read(len(TALK) + 5, 100) == b""


def test_a_large_file_comes_in_chunks(tmp_path: Path) -> None:
    content = bytes(range(256)) * (CHUNK // 256) * 2 + b"the end"
    (tmp_path / "large").write_bytes(content)
    for file in (SessionFile(tmp_path / "large"), MemoryFile(content)):
        chunks = list(file.chunks())
        assert [len(c) for c in chunks] == [CHUNK, CHUNK, 7] and b"".join(chunks) == content
        assert b"".join(file.chunks(CHUNK + 5)) == content[CHUNK + 5 :]


@pytest.mark.parametrize("left", [0, 1, 700, len(TALK) - 1])
def test_a_file_that_is_cut_while_it_is_open_is_told_as_far_as_it_goes(left: int, path: Path) -> None:
    file = SessionFile(path)
    session = read_index(file)
    os.truncate(path, left)
    found = inspect(session, Settings())
    assert found.array.messages == 4 and found.pairs.calls <= 1
    assert all(session.raw(place) == b"" or left for place in range(4))


def test_a_file_that_is_cut_while_it_is_being_indexed_is_read_as_far_as_it_goes(path: Path) -> None:
    file = SessionFile(path)

    def chunks() -> Iterator[bytes]:
        yield file.read(0, 100)
        os.truncate(path, 300)
        yield from file.chunks(100)

    index = Index()
    for _ in index.feed(chunks()):
        pass
    assert (index.facts.size, index.facts.damaged_lines) == (300, 1)
    assert len(session_of(file, index).chain.places) == 1


def test_an_open_file_stays_readable_when_its_name_is_gone(path: Path) -> None:
    file = SessionFile(path)
    path.unlink()
    assert file.read(0, len(TALK)) == TALK
    assert file.is_current()


def test_a_file_put_in_its_place_is_noticed(path: Path) -> None:
    file = SessionFile(path)
    assert file.is_current()
    other = path.with_name("other")
    other.write_bytes(TALK)
    other.replace(path)
    assert not file.is_current()


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"{}\n")


def touch(path: Path) -> None:
    os.utime(path, ns=(1, 1))


def put_another_in_its_place(path: Path) -> None:
    facts = path.stat()
    path.rename(path.with_name("old"))
    path.write_bytes(TALK)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


@pytest.mark.parametrize("change", [append, touch, Path.unlink, put_another_in_its_place])
def test_whatever_was_done_to_the_file_since_it_was_opened_is_noticed(change: Callable[[Path], Any], path: Path) -> None:
    file = SessionFile(path)
    opened = file.fingerprint()
    file.check_unchanged(opened)
    change(path)
    with pytest.raises(ChangedMeanwhile, match=r"since it was opened; .*open it again\."):
        file.check_unchanged(opened)


def test_bytes_in_memory_never_change() -> None:
    file = MemoryFile(TALK)
    file.check_unchanged(file.fingerprint())
    assert file.is_current() and file.fingerprint().size == len(TALK)


def test_a_closed_file_is_let_go(path: Path) -> None:
    file = SessionFile(path)
    file.close()
    with pytest.raises(SessionNotFound, match="bad file descriptor"):
        file.read(0, 1)


def test_a_projects_folder_that_cannot_be_looked_into_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with ordinary_user() as folder:
        (folder / "projects").mkdir()
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
        folder.chmod(0)
        assert refused("abcdef") == f"Cannot look for the session abcdef in {folder / 'projects'}: permission denied."
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/" + "x" * 5_000)
    sentence = refused("abcdef")
    assert sentence.endswith("…: file name too long.") and len(sentence) < 300


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_names_nothing(name: str) -> None:
    assert "is empty; give the path" in refused(name)


# what lies around a session


def test_a_folder_that_links_lead_to_again_is_listed_once(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "s.jsonl").write_bytes(TALK)
    (tmp_path / "top.jsonl").write_bytes(TALK)
    (tmp_path / "again").symlink_to("project")
    (tmp_path / "round").symlink_to(".")
    assert sorted(p.name for p in storage.sessions_in(tmp_path)) == ["s.jsonl", "top.jsonl"]
    found = find(str(tmp_path)).sessions
    assert sorted((e.name, e.folder) for e in found) == [("s", "project"), ("top", tmp_path.name)]


def test_a_folder_that_cannot_be_listed_is_said() -> None:
    with ordinary_user() as folder:
        (folder / "s.jsonl").write_bytes(TALK)
        folder.chmod(0)
        with pytest.raises(SessionNotFound, match="permission denied"):
            storage.sessions_in(folder)


def test_sessions_of_a_folder_come_newest_first_without_sub_agents(tmp_path: Path) -> None:
    for age, name in enumerate(
        ["a/new.jsonl", "mid.jsonl", "b/old.jsonl", "agent-1.jsonl", "a/agent-2.jsonl", "a/b/deep.jsonl", "x.txt"]
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TALK)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "folder.jsonl").mkdir()
    assert [p.name for p in storage.sessions_in(tmp_path)] == ["new.jsonl", "mid.jsonl", "old.jsonl"]


def test_a_folder_that_may_not_be_entered_hides_no_other_session() -> None:
    with ordinary_user() as folder:
        for name in ("open", "closed", "listed"):
            (folder / name).mkdir()
            (folder / name / f"{name}.jsonl").write_bytes(TALK)
        (folder / "closed").chmod(0)
        (folder / "listed").chmod(0o400)
        assert [p.name for p in storage.sessions_in(folder)] == ["open.jsonl"]


def test_files_of_sub_agents_are_found_in_every_layout(tmp_path: Path) -> None:
    path = tmp_path / f"{ID}.jsonl"
    for name in (
        f"{ID}/subagents/agent-a1.jsonl",
        f"{ID}/subagents/workflows/wf_1/agent-a2.jsonl",
        "agent-a3.jsonl",
        f"{ID}.agent-a4.jsonl",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(TALK)
    (tmp_path / "another.agent-a5.jsonl").write_bytes(TALK)
    assert set(storage.agent_files(path)) == {"a1", "a2", "a3", "a4"}
    assert storage.agent_files(tmp_path / "agent-a3.jsonl").keys() == set()


def test_notes_are_beside_the_session_or_in_the_older_common_folder(projects: Path) -> None:
    path = projects / "-home-ada" / f"{ID}.jsonl"
    assert storage.notes_file(path, ID) is None
    common = projects.parent / "session-memory" / f"{ID}.md"
    common.parent.mkdir()
    common.write_text("# Notes")
    assert storage.notes_file(path, ID) == common
    assert storage.notes_file(path, None) is None
    own = path.with_suffix("") / "session-memory" / "summary.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Notes")
    assert storage.notes_file(path, ID) == own


@pytest.mark.parametrize("session_id", ["../../config", "/etc", "..", "x" * 5000, "a\0b", "\ud800", ""])
def test_what_a_file_calls_its_session_leads_nowhere_else(session_id: str, projects: Path) -> None:
    for place in (projects, projects.parent, projects.parent.parent):
        notes = place / "session-memory" / "summary.md"
        notes.parent.mkdir(exist_ok=True)
        notes.write_text("# Others")
    session = projects / "-home-ada" / f"{ID}.jsonl"
    assert storage.notes_file(session, session_id) is None
    assert storage.notes_places(session, session_id) == (session.with_suffix("") / "session-memory" / "summary.md",)


def test_small_files_are_read_or_left(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"caf\xc3\xa9 \xff")
    assert storage.read_text(path) == storage.read_if_there(path) == "café \ufffd"
    assert storage.read_if_there(path, most=3) is None
    assert storage.read_if_there(tmp_path / "gone") is None and storage.modified_at(tmp_path / "gone") is None
    assert storage.modified_at(path) == path.stat().st_mtime
    with pytest.raises(SessionNotFound, match=r"Cannot read .*gone: no such file or directory\."):
        storage.read_text(tmp_path / "gone")


def test_settings_are_where_the_variable_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert storage.settings_path().is_relative_to(Path.home())
    monkeypatch.setenv("WORKBENCH_CONFIG_DIR", str(tmp_path))
    assert storage.settings_path() == tmp_path / "settings.toml"


# writing


def left_in(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "out", b"new")
    assert (tmp_path / "out").read_bytes() == b"new"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    assert left_in(tmp_path) == ["out"]


def test_a_file_that_was_there_is_replaced_at_once_and_keeps_its_rights(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    out.chmod(0o644)
    with out.open("rb") as reading:
        write_atomically(out, b"new")
        assert reading.read() == b"old"
    assert (out.read_bytes(), out.stat().st_mode & 0o777, left_in(tmp_path)) == (b"new", 0o644, ["out"])


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    (tmp_path / "to be").symlink_to("there/later")
    write_atomically(tmp_path / "to be", b"later")
    assert left_in(tmp_path / "there") == ["later", "target"]


@pytest.mark.parametrize("way", ["itself", "symbolic link", "hard link", "another spelling", "linked folder"])
def test_the_opened_file_is_never_written_to_whatever_it_is_called(way: str, path: Path) -> None:
    folder = path.parent
    out = {
        "itself": path,
        "symbolic link": folder / "soft",
        "hard link": folder / "hard",
        "another spelling": folder / ".." / folder.name / path.name,
        "linked folder": folder / "around" / path.name,
    }[way]
    (folder / "soft").symlink_to(path)
    (folder / "hard").hardlink_to(path)
    (folder / "around").symlink_to(folder)
    with pytest.raises(WriteRefused, match=r"is the file that was opened; name another one for the output\."):
        write_atomically(out, b"new", never=path)
    assert path.read_bytes() == TALK
    write_atomically(folder / "other", b"new", never=path)


def test_what_is_gone_is_not_in_the_way(path: Path) -> None:
    path.unlink()
    write_atomically(path, b"new", never=path)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("folder", r"is not a file; name a file for the output\."),
        ("pipe", r"is not a file; name a file for the output\."),
        ("linked pipe", r"is not a file; name a file for the output\."),
        ("", r"is not a file; name a file for the output\."),
        ("nowhere/out", r"^Cannot write .*: no such file or directory\."),
        ("s.jsonl/out", r"^Cannot write .*: not a directory\."),
        ("x" * 300, r"^Cannot write .*: file name too long\."),
    ],
)
def test_where_nothing_can_be_written_is_said(name: str, why: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = path.parent
    monkeypatch.chdir(folder)
    Path("folder").mkdir()
    os.mkfifo("pipe")
    Path("linked pipe").symlink_to("pipe")
    with pytest.raises(WriteRefused, match=why):
        write_atomically(Path(name), b"new", never=path)
    assert left_in(folder) == ["folder", "linked pipe", "pipe", "s.jsonl"] and left_in(folder / "folder") == []
    assert Path("pipe").is_fifo()


def test_a_folder_that_may_not_be_written_to_is_said() -> None:
    with ordinary_user() as folder:
        folder.chmod(0o500)
        with pytest.raises(WriteRefused, match=r"^Cannot write .*out: permission denied\.$"):
            write_atomically(folder / "out", b"new")
        assert left_in(folder) == []


@pytest.mark.parametrize(
    ("trouble", "raised"),
    [(OSError(errno.ENOSPC, "No space left on device"), WriteRefused), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_writing_that_stops_half_way_leaves_what_was_there(
    trouble: BaseException, raised: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_bytes(b"old")

    def stop(_: int) -> None:
        raise trouble

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(raised, match=r"^(Cannot write .*out: no space left on device\.)?$"):
        write_atomically(tmp_path / "out", b"new")
    assert ((tmp_path / "out").read_bytes(), left_in(tmp_path)) == (b"old", ["out"])
