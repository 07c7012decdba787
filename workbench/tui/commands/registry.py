"""All commands in the order in which footer, help and README list them."""

from textual.binding import Binding

from ...workspace.state import MESSAGES
from . import agents, boundary, figures, notes, pairs, session
from .command import EVERYWHERE, Command, key_words

COMMANDS: tuple[type[Command], ...] = (
    session.ShowMessages,
    session.ShowPairs,
    session.ShowBoundary,
    session.ShowNotes,
    session.ShowDoctor,
    session.Search,
    session.NextReading,
    session.NextForm,
    session.OtherSide,
    session.CopyMessage,
    pairs.FilterPairs,
    pairs.GoToMessage,
    pairs.PairForm,
    pairs.CopyHalf,
    boundary.ShowAround,
    boundary.CopyRecord,
    notes.CopySection,
    session.GoToTimeline,
    session.ArrayOfCall,
    session.NextBoundary,
    session.PreviousBoundary,
    session.BackToNow,
    figures.WhyItGrew,
    figures.NextEstimator,
    agents.SubAgents,
    session.OpenAnother,
    session.Screenshot,
    session.ChangeTheme,
    session.Help,
    session.Quit,
)
BY_ID = {c.id: c for c in COMMANDS}
HEADINGS = {EVERYWHERE: "Everywhere", MESSAGES: "Messages"}


def bindings(where: str) -> list[Binding]:
    """The bindings of one place."""
    return [c.binding() for c in COMMANDS if c.where == where]


def offered(tab: str) -> tuple[type[Command], ...]:
    """What the footer offers on a tab, the tab's own first."""
    own = [c for c in COMMANDS if c.footer and c.where == tab]
    return (*own, *(c for c in COMMANDS if c.footer and c.where == EVERYWHERE))


def key_table() -> str:
    """The README's key table, in Markdown."""
    lines = ["| key | what it does | where |", "|---|---|---|"]
    for command in COMMANDS:
        place = HEADINGS.get(command.where, command.where.capitalize())
        keys = " ".join(f"`{k}`" for k in key_words(command.key).split())
        lines.append(f"| {keys} | {command.tooltip()} | {place} |")
    return "\n".join(lines)
