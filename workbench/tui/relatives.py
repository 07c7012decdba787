"""The files of a session's sub-agents, and the session that a sub-agent belongs to: found and read beside the screen."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from ..errors import SessionError
from ..storage import SessionFile, agent_files, read_index, session_of_agent
from ..transcript.session import Session
from ..workspace.agents import PARENT, Agent, Link, links_of
from .jobs import Reader


def has_relatives(session: Session, reader: Reader) -> bool:
    """Whether there is a file to go to. Lists a folder: milliseconds."""
    return isinstance(reader, SessionFile) and bool(_files(reader.path, session.index.sessions))


def relatives(session: Session, reader: Reader) -> Iterator[tuple[Agent, ...]]:
    """The files with their sizes at once; then the calls that started them; then, one by one, how many calls each made."""
    if not isinstance(reader, SessionFile):
        return
    found = [_agent(name, path) for name, path in _files(reader.path, session.index.sessions).items()]
    yield tuple(found)
    links = links_of(session)
    found = [_with(agent, links) for agent in found]
    yield tuple(found)
    for at, agent in enumerate(found):
        found[at] = _counted(agent)
        yield tuple(found)


def _files(path: Path, sessions: Collection[str]) -> dict[str, Path]:
    parent = session_of_agent(path)
    if parent is None:
        return agent_files(path, sessions)
    siblings = {name: file for name, file in agent_files(parent, sessions).items() if file != path}
    return {PARENT: parent, **siblings}


def _agent(name: str, path: Path) -> Agent:
    try:
        return Agent(name, str(path), path.stat().st_size)
    except OSError as error:
        return Agent(name, str(path), 0, problem=(error.strerror or str(error)).lower())


def _with(agent: Agent, links: dict[str, Link]) -> Agent:
    return replace(agent, link=links.get(agent.id))


def _counted(agent: Agent) -> Agent:
    try:
        reader = SessionFile(Path(agent.path))
    except SessionError as error:
        return replace(agent, problem=str(error))
    try:
        return replace(agent, calls=len(read_index(reader).main_calls))
    except SessionError as error:
        return replace(agent, problem=str(error))
    finally:
        reader.close()
