"""The sub-agents of the open session in a list over the screen; Enter opens one."""

from collections.abc import Callable, Iterator, Sequence

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.worker import get_current_worker

from ...workspace.agents import Agent
from ..painting.agents import agent_line, agents_header
from ..painting.palette import Palette
from ..theme import palette_of
from ..widgets.line_list import LineList
from .closing import Over


class AgentLines:
    """The files as lines."""

    def __init__(self, agents: tuple[Agent, ...], palette: Palette) -> None:
        self.agents = agents
        self._palette = palette

    def __len__(self) -> int:
        return len(self.agents)

    def line(self, index: int, width: int, /) -> Sequence[Segment]:
        return agent_line(self.agents[index], width, self._palette)


class AgentsScreen(Over[str | None]):
    """Gives the path of the file to open; None when it was only looked at."""

    BINDINGS = [("escape,q,A", "leave", "Close")]
    DEFAULT_CSS = """
    AgentsScreen { align: center middle; background: $background 40%; }
    AgentsScreen LineList {
        width: 90%; max-width: 120; height: 12; max-height: 80%; background: $surface; border: round $primary;
        border-title-color: $primary; border-subtitle-color: $foreground-muted; padding: 0 1;
    }
    """

    def __init__(self, find: Callable[[], Iterator[tuple[Agent, ...]]]) -> None:
        super().__init__()
        self._find = find

    def compose(self) -> ComposeResult:
        found = LineList(header=agents_header(200, palette_of(self.app)), empty="looking for sub-agents…")
        found.border_title = "Sub-agents"
        found.border_subtitle = "Enter opens · Esc closes"
        yield found

    def on_mount(self) -> None:
        self.read()

    @work(thread=True, group="agents", description="reading the files of the sub-agents")
    def read(self) -> None:
        """Lists the files, then what is in them, until the list is closed."""
        worker = get_current_worker()
        for agents in self._find():
            if worker.is_cancelled:
                return
            self.app.call_from_thread(self._show, agents)

    def _show(self, agents: tuple[Agent, ...]) -> None:
        found = self.query_one(LineList)
        found.styles.height = max(12, len(agents) + 4)
        found.set_source(AgentLines(agents, palette_of(self.app)))

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        event.stop()
        if isinstance(event.line_list.source, AgentLines):
            self.dismiss(event.line_list.source.agents[event.index].path)
