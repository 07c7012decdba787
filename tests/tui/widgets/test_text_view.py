"""A text of any size is there at once, can be gone through, searched and copied, and cannot harm the terminal."""

from typing import Any

import pytest

from workbench.tui.painting.document import Document, Paragraph
from workbench.tui.widgets.text_view import TextView

NUMBERED = "\n".join(f"line {number}" for number in range(1_000))


def seen(view: TextView) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


@pytest.mark.parametrize(
    ("keys", "top"),
    [
        ("down down j", "line 3"),
        ("down k", "line 0"),
        ("pagedown", "line 10"),
        ("space pageup", "line 0"),
        ("ctrl+d", "line 5"),
        ("ctrl+d ctrl+u", "line 0"),
        ("end", "line 990"),
        ("G down", "line 990"),
        ("G g", "line 0"),
        ("up", "line 0"),
    ],
)
async def test_keys_scroll(stage: Any, keys: str, top: str) -> None:
    view = TextView(Document.of(NUMBERED))
    async with stage(view).run_test(size=(40, 10)) as pilot:
        await pilot.press(*keys.split())
        assert seen(view)[0] == top


async def test_another_width_keeps_the_text_at_the_top(stage: Any) -> None:
    view = TextView(Document.of("\n".join(f"{number} " + "x" * 60 for number in range(500))))
    async with stage(view).run_test(size=(100, 10)) as pilot:
        await pilot.pause()
        view.scroll_to(y=200, animate=False)
        await pilot.resize_terminal(40, 10)
        assert seen(view)[0].startswith("200 x")


async def test_the_end_of_megabytes_is_reached_from_the_first_moment(stage: Any) -> None:
    view = TextView(Document.of("漢字 and code\n" * 200_000 + "the end"))
    async with stage(view).run_test(size=(40, 10)) as pilot:
        await pilot.press("end")
        assert seen(view)[-1] == "the end"


async def test_search_goes_to_the_match_and_round(stage: Any) -> None:
    view = TextView(Document.of(NUMBERED))
    async with stage(view).run_test(size=(40, 10)) as pilot:
        assert view.find("LINE 500") == 0
        assert view.find("line 50") == 11
        await pilot.pause()
        assert "line 50" in seen(view)
        assert view.next_match() == 2
        await pilot.pause()
        assert "line 500" in seen(view)
        assert view.next_match(-1) == 1
        assert view.next_match(-1) == 11
        assert view.find("") == 0
        assert view.next_match() == 0


async def test_a_match_stands_out(stage: Any) -> None:
    view = TextView(Document.of("a needle here, a needle there"))
    async with stage(view).run_test(size=(40, 10)):
        view.find("needle")
        grounds = {s.text: s.style.bgcolor for s in view.render_line(0) if s.style}
        current, other = (s.style.bgcolor for s in view.render_line(0) if s.text == "needle" and s.style)
        assert len({current, other, grounds["a "]}) == 3


async def test_copying_takes_all_of_the_text_as_it_is(stage: Any) -> None:
    view = TextView(Document((Paragraph("one\ttab"), Paragraph("two \ud83d"))))
    async with stage(view).run_test(size=(40, 10)) as pilot:
        view.action_copy()
        assert pilot.app.clipboard == "one\ttab\ntwo �"


async def test_a_selection_over_wrapped_rows_is_copied_without_breaks(stage: Any) -> None:
    view = TextView(Document.of("abcdefghij" * 6))
    async with stage(view).run_test(size=(20, 10)) as pilot:
        await pilot.mouse_down(TextView, offset=(15, 0))
        await pilot.hover(TextView, offset=(4, 1))
        await pilot.mouse_up(TextView, offset=(4, 1))
        view.action_copy()
        assert pilot.app.clipboard == ("abcdefghij" * 6)[15:24]


async def test_hostile_text_is_shown_as_signs(stage: Any) -> None:
    view = TextView(Document.of("\x1b[2Jgone\x00 [bold]not markup[/bold]"))
    async with stage(view).run_test(size=(60, 10)):
        assert seen(view)[0] == "␛[2Jgone␀ [bold]not markup[/bold]"


async def test_a_new_text_begins_at_its_top(stage: Any) -> None:
    view = TextView(Document.of(NUMBERED), empty="no notes were written")
    async with stage(view).run_test(size=(40, 9)) as pilot:
        await pilot.press("end")
        view.set_document("short")
        await pilot.pause()
        assert seen(view)[0] == "short"
        view.set_document("")
        await pilot.press("end", "home", "pagedown")
        assert seen(view)[4].strip() == "no notes were written"


async def test_a_paragraph_can_be_gone_to(stage: Any) -> None:
    view = TextView(Document(tuple(Paragraph(f"# {number}\n" + "text\n" * 20) for number in range(30))))
    async with stage(view).run_test(size=(40, 10)) as pilot:
        view.show_paragraph(17)
        await pilot.pause()
        assert seen(view)[0] == "# 17"


async def test_every_character_has_the_ground_of_the_view(stage: Any) -> None:
    view = TextView(Document((Paragraph("plain"), Paragraph("styled", "bold user"))))
    async with stage(view).run_test(size=(40, 10)):
        for y in range(2):
            assert {s.style.bgcolor for s in view.render_line(y) if s.style} == {view.rich_style.bgcolor}
