"""What is found on disk for the picker, and what the beginning of a file tells."""

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.house.files import ROOT
from tests.tools.big_session import write_session
from workbench import finding, storage
from workbench.errors import SessionNotFound, UsageError
from workbench.finding import find, open_typed, survey
from workbench.storage import load
from workbench.workspace.catalogue import ENOUGH, GLANCE, Entry, Facts

PROJECT = "-home-ana-shop"


def row(uuid: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": uuid,
        "parentUuid": None,
        "sessionId": "s",
        "cwd": "/home/ana/shop",
        "version": "2.1.332",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {"role": "user", "content": text},
        **more,
    }


def write(path: Path, records: Iterable[Mapping[str, Any]], *, modified: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
    if modified is not None:
        os.utime(path, (modified, modified))
    return path


def facts(path: Path, most: int = ENOUGH) -> Facts:
    found = survey(Entry(str(path), path.stem, PROJECT, path.stat().st_size, 1.0), most, lambda: False)
    assert found is not None
    return found


def title(tmp_path: Path, *records: Mapping[str, Any]) -> str:
    return facts(write(tmp_path / "s.jsonl", records)).title


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


def test_sessions_are_listed_newest_first_without_sub_agents(projects: Path) -> None:
    write(projects / PROJECT / "old.jsonl", [row("a", "x")], modified=100)
    write(projects / "-home-ana-site" / "new.jsonl", [row("a", "x")], modified=200)
    write(projects / PROJECT / "agent-1.jsonl", [row("a", "x")])
    write(projects / PROJECT / "old" / "subagents" / "agent-2.jsonl", [row("a", "x")])
    (projects / PROJECT / "notes.txt").write_text("no session")
    (projects / PROJECT / "folder.jsonl").mkdir()
    (projects / PROJECT / "gone.jsonl").symlink_to("/nowhere")
    found = find()
    assert [(e.name, e.folder, e.modified) for e in found.sessions] == [("new", "-home-ana-site", 200), ("old", PROJECT, 100)]
    assert found.folder == str(projects)
    assert found.problems == ()


def test_without_a_projects_folder_it_is_said_where_was_looked() -> None:
    found = find()
    assert found.sessions == ()
    assert str(Path.home() / ".claude" / "projects") in found.problems[0]
    assert any("CLAUDE_CONFIG_DIR" in sentence for sentence in found.problems)
    assert found.samples


def test_a_wrong_config_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "wrong"))
    assert "CLAUDE_CONFIG_DIR" in find().problems[0]
    assert str(tmp_path / "wrong" / "projects") in find().problems[0]


def test_a_folder_that_cannot_be_listed_hides_no_other(projects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(projects / PROJECT / "seen.jsonl", [row("a", "x")])
    (projects / "-secret").mkdir()
    scandir = os.scandir

    def refusing(folder: Path) -> Any:
        if Path(folder).name == "-secret":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(finding.os, "scandir", refusing)
    found = find()
    assert [e.name for e in found.sessions] == ["seen"]
    assert found.problems == (f"Cannot list {projects / '-secret'}: permission denied.",)


def test_another_folder_is_listed_with_the_folders_below_it(tmp_path: Path) -> None:
    write(tmp_path / "here.jsonl", [row("a", "x")])
    write(tmp_path / "below" / "there.jsonl", [row("a", "x")])
    write(tmp_path / "below" / "deep" / "not.jsonl", [row("a", "x")])
    found = find(str(tmp_path))
    assert {(e.name, e.folder) for e in found.sessions} == {("here", tmp_path.name), ("there", "below")}
    assert not found.is_projects


# the samples


def test_every_sample_is_offered_with_its_line() -> None:
    offered = find().samples
    assert [e.name + ".jsonl" for e in offered] == sorted(p.name for p in (ROOT / "sample_sessions").glob("*.jsonl"))
    assert all(e.about and "`" not in e.about for e in offered)


def test_an_installation_has_every_file_of_the_samples() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
    installed = {
        Path(target) / path.name: path
        for target, patterns in listed.items()
        for pattern in patterns
        for path in ROOT.glob(pattern)
    }
    for path in (ROOT / "sample_sessions").rglob("*"):
        if path.is_file():
            assert installed[Path("share/workbench") / path.relative_to(ROOT)] == path


@pytest.mark.parametrize("scheme", ["data", "user"])
def test_the_samples_of_an_installation_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    folder = tmp_path / scheme / "share" / "workbench" / "sample_sessions"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("| `a.jsonl` | one |\n| `missing.jsonl` | two |\n")
    (folder / "a.jsonl").write_text("{}\n")
    (folder / "unlisted.jsonl").write_text("{}\n")
    monkeypatch.setattr(finding, "__file__", str(tmp_path / "lib" / "workbench" / "finding.py"))
    monkeypatch.setattr(finding.sysconfig, "get_path", lambda _, of=None: str(tmp_path / ("user" if of else "data")))
    assert [(e.name, e.about) for e in finding.samples()] == [("a", "one")]


def test_without_samples_none_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "__file__", str(tmp_path / "lib" / "workbench" / "finding.py"))
    monkeypatch.setattr(finding.sysconfig, "get_path", lambda *_: str(tmp_path))
    assert finding.samples() == ()


# what the beginning of a file tells


def test_counts_are_those_of_inspect() -> None:
    for entry in find().samples:
        session, told = load(entry.path), survey(entry, entry.size, lambda: False)
        assert told is not None
        assert told.whole
        assert (told.records, told.compactions) == (len(session.index), len(session.boundaries))
        assert told.damaged_lines == session.index.facts.damaged_lines


def test_counts_of_real_sessions_are_those_of_inspect(shared: Path) -> None:
    for path in (*(shared / "real").glob("*.jsonl"), *(shared / "real-new").glob("*.jsonl")):
        told, session = facts(path), load(str(path))
        assert (told.records, told.compactions) == (len(session.index), len(session.boundaries))
        assert told.title


def test_a_large_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    written = write_session(path, 2.0)
    glanced, whole = facts(path, GLANCE), facts(path)
    assert not glanced.whole
    assert not glanced.counted
    assert 0 < glanced.records < written.rows
    assert glanced.damaged_lines == 0  # the line cut by the end of the glance is not a damaged one
    assert glanced.title == whole.title
    assert (whole.records, whole.compactions) == (written.rows, written.boundaries)


def test_reading_is_given_up_when_nobody_waits(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [row("a", "x")])
    assert survey(Entry(str(path), "s", PROJECT, path.stat().st_size), ENOUGH, lambda: True) is None


def test_a_file_that_went_away_says_so(tmp_path: Path) -> None:
    told = survey(Entry(str(tmp_path / "gone.jsonl"), "gone"), ENOUGH, lambda: False)
    assert told is not None
    assert told.problem == "Cannot read: no such file or directory."


def test_an_empty_file_tells_nothing(tmp_path: Path) -> None:
    told = facts(write(tmp_path / "s.jsonl", []))
    assert (told.title, told.records, told.problem, told.whole) == ("", 0, "", True)


def test_where_and_when_it_was(tmp_path: Path) -> None:
    told = facts(write(tmp_path / "s.jsonl", [{"type": "mode"}, row("a", "x")]))
    assert (told.cwd, told.version) == ("/home/ana/shop", "2.1.332")
    assert told.last_record == 1772359200.0


def test_the_recorded_title_comes_first(tmp_path: Path) -> None:
    titled = {"type": "ai-title", "sessionId": "s", "aiTitle": "Mend the cart"}
    assert (
        title(tmp_path, row("a", "first words"), titled, {**titled, "aiTitle": "Mend the cart for good"})
        == "Mend the cart for good"
    )


def test_a_summary_counts_when_it_is_of_this_session(tmp_path: Path) -> None:
    def summary(leaf: str) -> dict[str, str]:
        return {"type": "summary", "summary": f"about {leaf}", "leafUuid": leaf}

    assert title(tmp_path, summary("a"), summary("elsewhere"), row("a", "first words")) == "about a"
    assert title(tmp_path, summary("elsewhere"), row("a", "first words")) == "first words"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["<command-name>/clear</command-name>", "mend the cart"], "mend the cart"),
        (["<command-name>/review</command-name>\n<command-args>the cart</command-args>"], "/review the cart"),
        (["<local-command-stdout>done</local-command-stdout>", "[Request interrupted by user]", "go on"], "go on"),
        ([" \n"], ""),
    ],
)
def test_the_first_prompt_is_what_somebody_typed(tmp_path: Path, texts: list[str], expected: str) -> None:
    assert title(tmp_path, row("m", "a caveat", isMeta=True), *(row(str(i), text) for i, text in enumerate(texts))) == expected


def test_the_last_prompt_serves_where_no_other_is_kept(tmp_path: Path) -> None:
    assert title(tmp_path, {"type": "last-prompt", "lastPrompt": "and then?", "leafUuid": "x"}) == "and then?"


# what the user typed


def test_standard_input_cannot_be_read_from_within_the_screen() -> None:
    with pytest.raises(UsageError, match="command line only"):
        open_typed("-")


@pytest.mark.parametrize("name", ["nothing-here", "~nobody-knows/x.jsonl", "x" * 5_000, "nul\0.jsonl"])
def test_an_impossible_path_is_one_sentence(name: str) -> None:
    with pytest.raises(SessionNotFound) as raised:
        open_typed(name)
    assert not storage.is_folder(name)
    assert str(raised.value).count("\n") == 0
