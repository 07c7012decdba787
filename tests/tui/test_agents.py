"""From a session to its sub-agents and back."""

import json
from pathlib import Path

import pytest

from tests.builders import SESSION, call, file_of, reply, result, user
from tests.tui.opening import SAMPLES, Shown, lines_of, opened
from workbench.cli import main
from workbench.storage import agent_files, session_of_agent
from workbench.tui.screens.agents import AgentsScreen
from workbench.tui.widgets.line_list import LineList

pytestmark = pytest.mark.long

SAMPLE = SAMPLES / "08-images-and-sub-agents.jsonl"
AGENT = "a3f9c1d07be24685"


def rows(shown: Shown) -> list[str]:
    assert isinstance(shown.pilot.app.screen, AgentsScreen)
    return [line for line in lines_of(shown.pilot.app.screen.query_one(LineList))[1:] if line]


def agent_session(number: int = 1, session: str = SESSION) -> bytes:
    rows = user(number, "find it", isSidechain=True), reply(number + 1, "found", isSidechain=True)
    return file_of(*({**row, "agentId": "a1", "sessionId": session} for row in rows))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project folder as old versions left it: the agents of two sessions beside them."""
    outcome = {"agentId": "a1", "prompt": "find\x1b[31m it", "status": "completed"}
    records = user(1, "go"), reply(2, call("toolu_1", "Task")), user(3, result("toolu_1", "found"), toolUseResult=outcome)
    (tmp_path / f"{SESSION}.jsonl").write_bytes(file_of(*records))
    (tmp_path / "agent-a1.jsonl").write_bytes(agent_session())
    (tmp_path / "agent-a2.jsonl").write_bytes(b"")
    (tmp_path / "agent-b7.jsonl").write_bytes(agent_session(1, "another-session"))
    return tmp_path


async def test_a_sub_agent_is_opened_and_left_again() -> None:
    async with opened(SAMPLE, "A") as shown:
        (line,) = rows(shown)
        assert line.split()[:6] == [AGENT, "12.5", "KB", "3", "line", "15"]
        assert "Find every place" in line
        await shown.press("enter")
        assert shown.screen.workspace.name == f"agent-{AGENT}.jsonl"
        assert "sub-agent" in shown.lines("#top")[0]
        assert shown.lines("#call")[0].startswith("call 3 of 3")
        await shown.press("A")
        (line,) = rows(shown)
        assert line.startswith("the session")
        await shown.press("enter")
        assert shown.screen.workspace.name == SAMPLE.name


async def test_only_the_agents_of_this_session_are_offered(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / f"{SESSION}.jsonl"
    async with opened(path, "A") as shown:
        (line,) = rows(shown)
        assert line.split()[0] == "a1"
        assert "find␛[31m it" in line
        await shown.press("escape")
        assert shown.screen.workspace.name == path.name
    main(["inspect", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["agents"] == [{"id": "a1", "path": str(project / "agent-a1.jsonl")}]


async def test_a_session_without_any_says_so() -> None:
    async with opened(SAMPLES / "01-plain-short.jsonl", "A") as shown:
        assert shown.told == ["No file of a sub-agent stands beside this session."]


async def test_a_file_that_cannot_be_read_says_why_in_its_line(project: Path) -> None:
    folder = project / SESSION / "subagents" / "deeper"
    folder.mkdir(parents=True)
    (folder / "agent-c9.jsonl").write_bytes(b"no session\n")
    async with opened(project / f"{SESSION}.jsonl", "A") as shown:
        assert [line.split()[0] for line in rows(shown)] == ["c9", "a1"]
        assert "holds no session record" in rows(shown)[0]
        await shown.press("enter")
        assert "holds no session record" in " ".join(shown.lines("#list-0"))


async def test_a_file_that_is_gone_meanwhile_leaves_the_session_open(project: Path) -> None:
    async with opened(project / f"{SESSION}.jsonl", "A") as shown:
        (project / "agent-a1.jsonl").unlink()
        await shown.press("enter")
        assert shown.told[0].startswith("There is no file")
        assert shown.screen.workspace.name == f"{SESSION}.jsonl"


def test_a_sub_agent_s_file_leads_to_its_session(project: Path) -> None:
    assert session_of_agent(project / "agent-a1.jsonl") == project / f"{SESSION}.jsonl"
    assert session_of_agent(project / "agent-b7.jsonl") is None
    assert session_of_agent(project / "agent-a2.jsonl") is None
    assert session_of_agent(project / f"{SESSION}.jsonl") is None
    nested = SAMPLES / SAMPLE.stem / "subagents" / f"agent-{AGENT}.jsonl"
    assert session_of_agent(nested) == SAMPLE
    (project / "one.v2.jsonl").write_bytes(file_of(user(1, "hi")))
    (project / "one.v2.agent-d4.jsonl").write_bytes(agent_session())
    assert session_of_agent(project / "one.v2.agent-d4.jsonl") == project / "one.v2.jsonl"
    assert [*agent_files(project / "one.v2.jsonl", ["x"])] == ["d4"]


def test_inspect_tells_of_them_in_words_too(capsys: pytest.CaptureFixture[str]) -> None:
    main(["inspect", str(SAMPLE)])
    assert f"sub-agents   1 file: {AGENT}" in capsys.readouterr().out
    main(["inspect", str(SAMPLES / "01-plain-short.jsonl")])
    assert "sub-agents" not in capsys.readouterr().out
