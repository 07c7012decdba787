"""All commands in the order in which footer, help and README list them."""

from textual.binding import Binding

from ...workspace.state import MESSAGES
from . import agents, boundary, doctor, figures, notes, pairs, session, steps
from .command import EVERYWHERE, Command, key_words
from .picker import COMMANDS as PICKER_COMMANDS
from .picker import PickerCommand

COMMANDS: tuple[type[Command], ...] = (
    session.ShowMessages,
    session.ShowPairs,
    session.ShowBoundary,
    session.ShowNotes,
    steps.ShowSteps,
    session.ShowDoctor,
    session.Search,
    session.BySize,
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
    *notes.COMMANDS,
    *steps.COMMANDS,
    *doctor.COMMANDS,
    session.GoToTimeline,
    session.ArrayOfCall,
    session.NextBoundary,
    session.PreviousBoundary,
    session.BackToNow,
    figures.WhyItGrew,
    figures.WhyItFires,
    boundary.WhatWasLost,
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
    """What the footer offers on a tab, the tab's own first; a key that the tab uses otherwise is not offered twice."""
    own = [c for c in COMMANDS if c.where == tab]
    taken = {key for c in own for key in c.key.split(",")}
    everywhere = [c for c in COMMANDS if c.footer and c.where == EVERYWHERE and c.key.split(",")[0] not in taken]
    return (*(c for c in own if c.footer), *everywhere)


def key_table() -> str:
    """The README's key table, in Markdown."""
    lines = ["| key | what it does | where |", "|---|---|---|"]
    places: list[tuple[str, type[Command] | type[PickerCommand]]] = []
    places += [(HEADINGS.get(c.where, c.where.capitalize()), c) for c in COMMANDS]
    places += [("Picker", c) for c in PICKER_COMMANDS]
    for place, command in places:
        keys = " ".join(f"`{k}`" for k in key_words(command.key).split())
        lines.append(f"| {keys} | {command.tooltip()} | {place} |")
    return "\n".join(lines)
