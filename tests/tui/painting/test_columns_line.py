"""The title of a list says the same at every width, in fewer words where there is little room."""

from dataclasses import replace

import pytest

from tests.workspace.making import sample
from workbench.tui.painting.columns_line import column_title, detail_title
from workbench.tui.painting.palette import Palette
from workbench.tui.theme import ROLES
from workbench.workspace import moves
from workbench.workspace.columns import columns_of
from workbench.workspace.filtering import Filter
from workbench.workspace.state import Workspace
from workbench.workspace.view import BOUNDARY, CALL, NOW, SENT, View

PALETTE = Palette((("background", "#000000"), *((role, row[1]) for role, row in ROLES.items())))
SESSION = sample("02")


def title(view: View, width: int, side: int = 0, wanted: Filter | None = None) -> str:
    now = moves.to_view(moves.opened(Workspace("session"), SESSION), view)
    shown = replace(now, columns=columns_of(SESSION, view), filter=wanted or Filter())
    text = column_title(shown, side, width, PALETTE)
    assert text.cell_len <= width
    return text.plain


def test_with_room_it_is_a_sentence() -> None:
    assert title(View(NOW), 160).startswith(
        " as the agent would load it now   10 messages · 1,078 tokens rough · context 59,563 exact"
    )
    assert title(View(NOW), 160).endswith("   as loaded")
    assert title(View(CALL, 5), 160).startswith(" sent for call 6 of 112, line ")


@pytest.mark.parametrize("width", [80, 70])
def test_in_a_narrow_terminal_the_figures_stay(width: int) -> None:
    assert title(View(NOW), width).startswith(" now   10 messages · 1,078 tokens rough · context 59,563 exact")
    assert title(View(CALL, 5), width).startswith(" call 6   ")
    assert title(View(NOW, 0, SENT), width).startswith(" now   10 m")
    assert title(View(NOW, 0, SENT), width).endswith("   as sent")


def test_beside_another_one_the_number_of_messages_and_tokens_stays() -> None:
    left, right = title(View(BOUNDARY, 0), 39), title(View(BOUNDARY, 0), 39, side=1)
    assert left.startswith(" before 1/2   ")
    assert " msg · " in left
    assert left.endswith(" rough")
    assert right.startswith(" after   ")
    assert " msg · " in right
    assert right.endswith(" rough")


def test_a_filter_is_told_at_every_width() -> None:
    for width in (80, 120, 160):
        assert "filter: role user" in title(View(NOW), width, wanted=Filter(role="user"))


@pytest.mark.parametrize(("width", "told"), [(160, " toolu_"), (80, " · line "), (64, " tokens rough")])
def test_of_the_selected_message_its_line_and_tokens_stay(width: int, told: str) -> None:
    view = View(NOW)
    now = moves.filled(moves.opened(Workspace("session"), SESSION), columns_of(SESSION, view))
    text = detail_title(moves.to_item(now, 0, 2), width, PALETTE).plain
    assert text.startswith(" message 1 assistant · Edit")
    assert told in text
    assert " · line " in text
    assert " tokens rough" in text
    assert text.endswith("   text")
