"""The largest message is one key away, in every array."""

from pathlib import Path

from workbench.compaction.profiles import resolve
from workbench.storage import open_session
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.session import SessionScreen
from workbench.workspace import moves

SAMPLE = Path(__file__).parents[2] / "sample_sessions" / "02-two-auto-compactions.jsonl"


async def test_one_key_selects_the_largest_message_and_the_same_key_leads_back() -> None:
    app = WorkbenchApp(open_session(str(SAMPLE)), lambda _: resolve())
    async with app.run_test(size=(120, 36)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.press("b")
        await app.workers.wait_for_complete()
        await pilot.press("S")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        items = screen.workspace.columns.left.items  # type: ignore[union-attr]
        selected = moves.selected_item(screen.workspace)
        assert selected is not None and selected.block.tokens == max(i.block.tokens for i in items)
        assert screen.messages.list_of(0).cursor == 0
        await pilot.press("down")
        await pilot.pause()
        second = moves.selected_item(screen.workspace)
        assert second is not None and second.block.tokens <= selected.block.tokens and second is not selected
        await pilot.press("S")
        await pilot.pause()
        assert moves.selected_item(screen.workspace) == second, "the same message stays selected in the order of the array"
