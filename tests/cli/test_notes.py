"""`workbench notes`: what is shown, what an extraction writes and covers, and that no edit loses anybody's words."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.telling import Told, call, result, text
from tests.summarizers.fake_api import reply, serving
from workbench.cli import main
from workbench.memory.template import SECTIONS, TEMPLATE
from workbench.storage import load

LONG_AGO, LATER = 1_700_000_000, 2_000_000_000
"""Before and after every row that is told here, in seconds since the epoch."""


def told() -> Told:
    """One request that was answered, with an edit and a command."""
    session = Told()
    session.prompt("Rename the tide table loader, and never use global state.")
    session.reply("m1", 20_000, text("I look."), call("c1", "Edit", file_path="/app/tides.py", old_string="a", new_string="b"))
    session.results(result("c1"))
    session.reply("m2", 20_500, call("c2", "Bash", command="pytest -q"))
    session.results(result("c2", "3 passed"))
    session.reply("m3", 21_000, text("Renamed, and the tests pass."))
    return session


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session that nobody works on any more, without notes."""
    return put(tmp_path, told())


def put(folder: Path, session: Told) -> Path:
    path = folder / "told.jsonl"
    path.write_bytes(session.written())
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def own_notes(session: Path, content: str | bytes) -> Path:
    """Notes where the agent writes them."""
    path = session.with_suffix("") / "session-memory" / "summary.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    os.utime(path, (LATER, LATER))
    return path


def filled(**bodies: str) -> str:
    """The template with texts under some of its headings."""
    parts = []
    for part in TEMPLATE.split("# ")[1:]:
        title, _, rest = part.partition("\n")
        hint = rest.split("\n")[0]
        parts.append(f"# {title}\n{hint}\n\n{bodies.get(title.split()[0].lower(), '')}\n\n")
    return "".join(parts)


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["notes", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def editing(monkeypatch: pytest.MonkeyPatch, folder: Path, program: str) -> None:
    """An $EDITOR that is a Python program with the file's path in `path`."""
    script = folder / "editor.py"
    script.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{program}\n")
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")


def agent(folder: Path, reply: str) -> str:
    """A program of the user that answers every prompt with a reply, and keeps the prompt."""
    script = folder / "agent.py"
    kept = folder / "prompt.txt"
    script.write_text(f"import sys, pathlib\npathlib.Path({str(kept)!r}).write_text(sys.stdin.read())\nprint({reply!r})\n")
    return f"command:{sys.executable} {script}"


# showing


def test_a_folder_that_is_not_there_is_not_made(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "missing" / "notes.md"
    assert main(["notes", str(session), "--extract", "offline", "-o", str(out)]) == 2
    assert capsys.readouterr().err == f"workbench: Cannot write {out}: no such file or directory.\n"
    assert not out.parent.exists()


def test_without_notes_the_places_are_named(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", str(session)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("notes missing: There is no notes file for this session.")
    assert str(session.with_suffix("") / "session-memory" / "summary.md") in shown
    found = as_json(capsys, str(session))
    assert (found["path"], found["sections"], found["tokens"], found["state"]) == (None, [], None, "missing")


def test_sections_come_with_their_text_and_their_budget(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_notes(session, filled(current="w" * 8_004, task="Rename it."))
    found = as_json(capsys, str(session))
    assert found["path"] == str(path)
    assert [s["title"] for s in found["sections"]] == list(SECTIONS)
    by_title = {s["title"]: s for s in found["sections"]}
    assert by_title["Task specification"] == {
        "title": "Task specification", "tokens": 3, "over_budget": False, "text": "Rename it.",
    }  # fmt: skip
    assert by_title["Current State"]["tokens"] == 2_001
    assert by_title["Current State"]["over_budget"] and found["over_budget"]
    assert found["state"] == "ok"
    assert main(["notes", str(session)]) == 0
    shown = capsys.readouterr().out
    assert "2,001" in shown and "1 over" in shown and "Rename it." in shown


def test_inspect_tells_the_same_without_texts(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_notes(session, filled(task="Rename it."))
    found = as_json(capsys, str(session))
    for section in found["sections"]:
        del section["text"]
    assert main(["inspect", str(session), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == found


@pytest.mark.parametrize(("content", "state"), [("", "empty"), (TEMPLATE, "template"), (filled(task="It."), "ok")])
def test_the_state(session: Path, capsys: pytest.CaptureFixture[str], content: str, state: str) -> None:
    own_notes(session, content)
    assert as_json(capsys, str(session))["state"] == state


def test_notes_older_than_the_newest_row_are_stale_and_their_reach_is_a_guess(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    between = load(str(session)).index.times[2] + 1
    os.utime(path, (between, between))
    found = as_json(capsys, str(session))
    assert (found["state"], found["last_summarized"], found["last_summarized_kind"]) == ("stale", "u3", "guess")


def test_a_setting_moves_the_budgets(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_notes(session, filled(task="x" * 400))
    assert as_json(capsys, str(session))["over_budget"] is False
    assert as_json(capsys, str(session), "--set", "noteSectionTokens=50")["over_budget"] is True


def test_notes_cannot_write_to_the_terminal(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_notes(session, filled(task="\x1b[2Jboo"))
    assert main(["notes", str(session)]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_notes_that_are_not_there_are_wrong_use(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", str(session), "--notes", str(session.with_name("none.md"))]) == 2
    said = capsys.readouterr().err
    assert said.startswith("workbench: Cannot read") and said.count("\n") == 1


# extracting


def test_offline_writes_ten_sections_to_stdout(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = session.read_bytes()
    assert main(["notes", str(session), "--extract", "offline"]) == 0
    shown = capsys.readouterr()
    assert [line[2:] for line in shown.out.splitlines() if line.startswith("# ")] == list(SECTIONS)
    assert "Rename the tide table loader" in shown.out and "/app/tides.py" in shown.out and "pytest -q" in shown.out
    assert shown.err == ""
    assert session.read_bytes() == before and not session.with_suffix("").exists()


def test_what_was_extracted_is_remembered_beside_it(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "notes.md"
    assert main(["notes", str(session), "--extract", "offline", "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    found = as_json(capsys, str(session), "--notes", str(out))
    newest = [u for u in load(str(session)).index.uuids if u][-1]
    assert (found["last_summarized"], found["last_summarized_kind"], found["state"]) == (newest, "recorded", "ok")


def test_a_second_extraction_reads_only_what_is_newer(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "notes.md"
    assert main(["notes", str(session), "--extract", "offline", "-o", str(out)]) == 0
    again = as_json(capsys, str(session), "--notes", str(out), "--extract", "offline")
    assert again["extraction"]["rows"] == 0 and again["extraction"]["edits"] == []
    longer = told()
    longer.prompt("Now the harbour list.")
    longer.reply("m4", 22_000, text("Done with the harbours."))
    put(tmp_path, longer)
    more = as_json(capsys, str(session), "--notes", str(out), "--extract", "offline", "-o", str(out))
    assert more["extraction"]["rows"] == 2
    assert more["extraction"]["covers"] == longer.last
    texts = "".join(s["text"] for s in more["sections"])
    assert "Now the harbour list." in texts and "Rename the tide table loader" in texts


def test_a_pending_call_keeps_the_id_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pending = told()
    pending.reply("m4", 22_000, call("c9", "Bash", command="sleep 1"))
    path = put(tmp_path, pending)
    assert as_json(capsys, str(path), "--extract", "offline")["extraction"]["covers"] is None


def test_a_compaction_resets_what_was_covered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, told())
    out = tmp_path / "notes.md"
    assert main(["notes", str(path), "--extract", "offline", "-o", str(out)]) == 0
    longer = told()
    longer.boundary(21_050)
    longer.reply("m4", 5_000, text("I go on."))
    put(tmp_path, longer)
    found = as_json(capsys, str(path), "--notes", str(out))
    assert (found["last_summarized"], found["last_summarized_kind"]) == (None, "since-boundary")


def test_notes_written_by_another_count_by_their_time(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "notes.md"
    assert main(["notes", str(session), "--extract", "offline", "-o", str(out)]) == 0
    out.write_text(out.read_text() + "\nmore\n")
    os.utime(out, (LATER, LATER))
    assert as_json(capsys, str(session), "--notes", str(out))["last_summarized_kind"] == "guess"


def test_a_program_is_given_the_prompt_and_its_edits_are_applied(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = [{"section": "Current State", "body": "All done."}, {"section": "Task specification", "body": "Rename it."}]
    found = as_json(capsys, str(session), "--extract", agent(tmp_path, f"Here you are: {json.dumps(edits)}"))
    assert {s["title"]: s["text"] for s in found["sections"] if s["text"]} == {
        "Current State": "All done.", "Task specification": "Rename it.",
    }  # fmt: skip
    prompt = (tmp_path / "prompt.txt").read_text()
    assert "Rename the tide table loader" in prompt and "pytest -q" in prompt


def test_what_a_reply_may_not_change_is_refused_with_its_reason(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = [{"section": "Current State", "body": "Done.\n\n# New\n_A heading._\n"}, {"section": "Moods", "body": "Good."},
             {"section": "Learnings", "body": "Lone \ud800 and \u001b[2J."}]  # fmt: skip
    found = as_json(capsys, str(session), "--extract", agent(tmp_path, json.dumps(edits)))
    assert [r["section"] for r in found["extraction"]["refused"]] == ["Current State", "Moods"]
    assert {s["title"] for s in found["sections"]} == set(SECTIONS)
    assert found["extraction"]["covers"] is None, "an incomplete reply covers nothing"
    assert next(s["text"] for s in found["sections"] if s["title"] == "Learnings") == "Lone \ufffd and ."


@pytest.mark.parametrize("reply", ["", "no list here"])
def test_an_unusable_reply_changes_nothing(session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], reply: str) -> None:
    out = tmp_path / "notes.md"
    assert main(["notes", str(session), "--extract", agent(tmp_path, reply), "-o", str(out)]) == 2
    assert not out.exists()
    assert capsys.readouterr().err.startswith("workbench: ")


@pytest.mark.parametrize("who", ["magic", "command:", "offline:now", "command:/nowhere/agent"])
def test_an_unknown_extractor_is_wrong_use(session: Path, capsys: pytest.CaptureFixture[str], who: str) -> None:
    assert main(["notes", str(session), "--extract", who]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_claude_without_a_key_says_what_to_do(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", str(session), "--extract", "claude"]) == 2
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err


def test_claude_is_asked_with_the_cost_told_before_and_the_usage_after(
    session: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving() as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        api.will(reply(json.dumps([{"section": "Current State", "body": "All done."}])))
        assert main(["notes", str(session), "--extract", "claude", "--json"]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert [s["text"] for s in found["sections"] if s["text"]] == ["All done."]
    before, after = shown.err.splitlines()
    assert "Opus 4.5" in before and "$" in before
    assert "1,000 prompt tokens and 77 of output" in after


def test_the_session_is_never_written_over(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = session.read_bytes()
    assert main(["notes", str(session), "--extract", "offline", "-o", str(session)]) == 2
    assert session.read_bytes() == before
    assert "is the file that was opened" in capsys.readouterr().err
    assert [p.name for p in session.parent.iterdir()] == [session.name]


def test_the_notes_of_a_live_session_are_left_to_its_agent(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_notes(session, filled(task="It."))
    session.touch()
    assert main(["notes", str(session), "--extract", "offline", "-o", str(path)]) == 2
    assert "its agent may be at work" in capsys.readouterr().err
    assert path.read_text() == filled(task="It.")
    assert main(["notes", str(session), "--extract", "offline", "-o", str(path.with_name("mine.md"))]) == 0


def test_what_was_there_is_kept_in_a_backup(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_notes(session, filled(task="By hand."))
    assert main(["notes", str(session), "--extract", "offline", "-o", str(path)]) == 0
    assert path.with_name("summary.md.1.bak").read_text() == filled(task="By hand.")
    assert "By hand." in path.read_text() and "Rename the tide table loader" in path.read_text()


def test_the_state_before_a_line(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, str(session), "--extract", "offline", "--at", "5")
    assert "3 passed" not in json.dumps(found["sections"]) and found["extraction"]["covers"] == "u4"
    assert main(["notes", str(session), "--at", "5", "--leaf", "u1"]) == 2


# editing


def test_the_editor_s_text_is_saved_with_a_backup(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    editing(monkeypatch, tmp_path, "path.write_text(path.read_text().replace('It.', 'It, now.'))")
    assert main(["notes", str(session), "--edit"]) == 0
    assert path.read_text() == filled(task="It, now.")
    assert path.with_name("summary.md.1.bak").read_text() == filled(task="It.")
    assert "saved" in capsys.readouterr().err


def test_editing_by_hand_covers_nothing_new(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    between = load(str(session)).index.times[2] + 1
    os.utime(path, (between, between))
    editing(monkeypatch, tmp_path, "path.write_text(path.read_text().replace('It.', 'It, now.'))")
    assert main(["notes", str(session), "--edit"]) == 0
    capsys.readouterr()
    found = as_json(capsys, str(session))
    assert (found["state"], found["last_summarized"], found["last_summarized_kind"]) == ("stale", "u3", "guess")


def test_a_touched_instruction_line_is_told(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own_notes(session, filled(task="It."))
    editing(monkeypatch, tmp_path, "path.write_text(path.read_text().replace('# Worklog', '# Log'))")
    assert main(["notes", str(session), "--edit"]) == 0
    assert "The heading Worklog now reads Log" in capsys.readouterr().err


def test_every_byte_that_was_not_edited_stays(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    content = filled(task="It.").replace("\n", "\r\n").encode() + b"\xff\xe2\x80\xa8 end"
    path = own_notes(session, content)
    editing(monkeypatch, tmp_path, "path.write_bytes(path.read_bytes().replace(b'It.', b'That.'))")
    assert main(["notes", str(session), "--edit"]) == 0
    assert path.read_bytes() == content.replace(b"It.", b"That.")


def test_a_change_meanwhile_refuses_the_save_and_keeps_the_text(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    editing(monkeypatch, tmp_path, f"pathlib.Path({str(path)!r}).write_text('theirs'); path.write_text('mine')")
    assert main(["notes", str(session), "--edit"]) == 2
    said = capsys.readouterr().err
    assert "was changed by someone else" in said
    kept = Path(said.rpartition("Your text is in ")[2].strip().removesuffix("."))
    assert kept.read_text() == "mine" and path.read_text() == "theirs"


def test_a_folder_that_cannot_be_written_refuses_the_save(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    editing(monkeypatch, tmp_path, "path.write_text('mine')")
    refuse_writing(monkeypatch, path.parent)
    assert main(["notes", str(session), "--edit"]) == 2
    assert "Cannot write" in capsys.readouterr().err
    assert path.read_text() == filled(task="It.")


def refuse_writing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A folder that nothing can be made in, for whoever runs the tests."""
    from workbench import storage

    make = storage.tempfile.mkstemp

    def refusing(*, dir: Path, prefix: str) -> tuple[int, str]:
        if Path(dir) == folder:
            raise PermissionError(13, "Permission denied")
        return make(dir=dir, prefix=prefix)

    monkeypatch.setattr(storage.tempfile, "mkstemp", refusing)


def test_an_unchanged_text_is_not_written(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_notes(session, filled(task="It."))
    editing(monkeypatch, tmp_path, "")
    assert main(["notes", str(session), "--edit"]) == 0
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_new_notes_begin_with_the_template(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    editing(monkeypatch, tmp_path, "path.write_text(path.read_text() + '- began\\n')")
    assert main(["notes", str(session), "--edit"]) == 0
    assert (session.with_suffix("") / "session-memory" / "summary.md").read_text() == TEMPLATE + "- began\n"


@pytest.mark.parametrize("editor", [None, "", "/nowhere/editor", "'unclosed", f"{sys.executable} -c 'raise SystemExit(3)'"])
def test_an_editor_that_does_not_work_is_told(
    session: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], editor: str | None
) -> None:
    path = own_notes(session, filled(task="It."))
    if editor is not None:
        monkeypatch.setenv("EDITOR", editor)
    assert main(["notes", str(session), "--edit"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_text() == filled(task="It.")


@pytest.mark.parametrize("arguments", [["--edit", "--extract", "offline"], ["-o", "out.md"]])
def test_options_that_do_not_go_together(session: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["notes", str(session), *arguments]) == 2
