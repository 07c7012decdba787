"""Pictures of the session screen: what no flow can say, that it is laid out as meant. Look at each before renewing it.

.venv/bin/pytest -n 0 tests/tui/test_pictures.py --snapshot-update
"""

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.opening import SAMPLES, Shown, application

pytestmark = pytest.mark.long

Compare = Callable[..., bool]

PICTURES = {
    "a long session": ("11-long", (120, 36), ()),
    "a long session in a small terminal": ("11-long", (80, 24), ("home", "down", "down")),
    "before and after a compaction": ("02-two-auto-compactions", (120, 36), ("b", "b", "up")),
    "before and after in a small terminal": ("03-manual-kept-rows", (80, 24), ("b", "s")),
    "as sent, calibrated, as JSON": ("06-orphans", (100, 30), ("r", "e", "e", "v")),
    "why it grew": ("11-long", (120, 36), ("t", "home", "right", "right", "right", "right", "right", "right", "w")),
    "the sub-agents": ("08-images-and-sub-agents", (100, 30), ("A",)),
}


@pytest.mark.parametrize("name", PICTURES, ids=lambda name: name.replace(" ", "-").replace(",", ""))
def test_picture(name: str, snap_compare: Compare) -> None:
    sample, size, keys = PICTURES[name]

    async def before(pilot: Pilot[Any]) -> None:
        shown = Shown(pilot)
        await shown.settle()
        await shown.press(*keys)
        pilot.app.clear_notifications()
        await shown.settle()

    assert snap_compare(application(SAMPLES / f"{sample}.jsonl"), terminal_size=size, run_before=before)


def test_picture_of_the_light_theme(snap_compare: Compare) -> None:
    app = application(SAMPLES / "04-microcompaction.jsonl")

    async def before(pilot: Pilot[Any]) -> None:
        pilot.app.theme = "workbench-light"
        await Shown(pilot).settle()

    assert snap_compare(app, terminal_size=(120, 36), run_before=before)
