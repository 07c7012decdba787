"""A session that is still being written: what is added appears, what is cut, replaced or removed is told, nothing is lost."""

from pathlib import Path

import pytest

from tests.builders import call, file_of, lines_of, reply, result, user
from tests.tui.opening import Shown, opened
from workbench.tui.following import LIVE_LOOKS

pytestmark = pytest.mark.long

LINES = [line + b"\n" for line in lines_of(
    user(1, "mend the cart"), reply(2, call("toolu_1")), user(3, result("toolu_1", "a.py")), reply(4, "It is mended."),
    user(5, "now paint it"), reply(6, "It is painted."),
)]  # fmt: skip
TURNS, MORE = b"".join(LINES[:4]), b"".join(LINES[4:])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "growing.jsonl"
    found.write_bytes(TURNS)
    return found


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


async def look(shown: Shown) -> None:
    """What the timer does four times a second."""
    shown.screen.look()
    await shown.settle()


def listed(shown: Shown) -> list[str]:
    return [line for line in shown.lines("#list-0")[1:] if line]


def cursor(shown: Shown) -> str:
    found = shown.screen.messages.list_of(0)
    return listed(shown)[found.cursor]


async def test_added_rows_appear_and_a_cursor_at_the_end_follows(path: Path) -> None:
    async with opened(path) as shown:
        assert "It is mended." in cursor(shown)
        append(path, MORE)
        await look(shown)
        assert ["It is painted." in line for line in listed(shown)] == [False] * 5 + [True]
        assert "It is painted." in cursor(shown)
        assert "It is painted." in " ".join(shown.lines("#detail"))
        assert shown.lines("#call")[0].startswith("call 3 of 3")
        assert "6 messages" in shown.lines("#title-0")[0]
        assert shown.told == []


async def test_a_cursor_elsewhere_stays_on_its_message(path: Path) -> None:
    async with opened(path, "home", "down") as shown:
        shown.screen.timeline.cursor = 0
        await shown.settle()
        append(path, MORE)
        await look(shown)
        assert len(listed(shown)) == 6
        assert "Bash" in cursor(shown)
        assert shown.lines("#call")[0].startswith("call 1 of 3")


async def test_a_line_that_is_not_whole_waits_for_its_end(path: Path) -> None:
    async with opened(path) as shown:
        append(path, MORE[:-40])
        await look(shown)
        assert len(listed(shown)) == 5  # the first of the two is whole
        assert "now paint it" in cursor(shown)
        append(path, MORE[-40:])
        await look(shown)
        assert "It is painted." in cursor(shown)
        assert shown.told == []


async def test_a_file_opened_in_the_middle_of_a_line_is_read_on_in_silence(path: Path) -> None:
    append(path, MORE[:-40])
    async with opened(path, size=(200, 60)) as shown:
        assert "damaged" in shown.lines("#top")[0]
        append(path, MORE[-40:])
        await look(shown)
        assert "It is painted." in cursor(shown)
        assert "damaged" not in shown.lines("#top")[0]
        assert shown.told == []


async def test_a_file_that_was_cut_is_read_anew(path: Path) -> None:
    async with opened(path) as shown:
        path.write_bytes(b"".join(LINES[:2]))
        await look(shown)
        assert len(listed(shown)) == 2
        assert shown.told == ["growing.jsonl was cut or replaced; it was read anew."]
        append(path, LINES[2])
        await look(shown)
        assert len(listed(shown)) == 3


async def test_a_file_cut_to_nothing_says_so_once_and_is_followed_on(path: Path) -> None:
    async with opened(path) as shown:
        path.write_bytes(b"")
        for _ in range(3):
            await look(shown)
        assert shown.told == ["growing.jsonl is empty; a session file has one JSON record a line."]
        assert len(listed(shown)) == 4  # what was read is still shown
        await shown.press("up", "2", "1", "v")
        path.write_bytes(LINES[0])
        await look(shown)
        assert len(listed(shown)) == 1


async def test_another_file_in_its_place_is_read_anew(path: Path) -> None:
    async with opened(path) as shown:
        other = path.with_name("other")
        other.write_bytes(file_of(user(1, "paint the door"), reply(2, "Painted.")))
        other.replace(path)
        await look(shown)
        assert "paint the door" in listed(shown)[0]
        assert len(shown.told) == 1
        append(path, lines_of(user(3, "and the window", parent=2))[0] + b"\n")
        await look(shown)
        assert "and the window" in cursor(shown)


async def test_a_removed_file_stays_readable(path: Path) -> None:
    async with opened(path) as shown:
        path.unlink()
        await look(shown)
        await look(shown)
        assert shown.told == ["The file was removed; what was read of it is still shown."]
        assert "file is gone" in shown.lines("#top")[0]
        await shown.press("up", "v", "v")
        assert "toolu_1" in " ".join(shown.lines("#detail"))
        path.write_bytes(TURNS + MORE)
        await look(shown)
        assert "file is gone" not in shown.lines("#top")[0]
        assert len(listed(shown)) == 6


async def test_it_counts_as_live_for_a_while_after_it_grew(path: Path) -> None:
    async with opened(path) as shown:
        assert "live" not in shown.lines("#top")[0]
        append(path, MORE)
        await look(shown)
        await look(shown)
        assert "● live" in shown.lines("#top")[0]
        for _ in range(LIVE_LOOKS):
            shown.screen.look()
        await shown.settle()
        assert "live" not in shown.lines("#top")[0]


async def test_an_empty_file_becomes_a_session(path: Path) -> None:
    path.write_bytes(b"")
    async with opened(path) as shown:
        assert "is empty" in " ".join(shown.lines("#list-0"))
        append(path, TURNS)
        await look(shown)
        assert len(listed(shown)) == 4


@pytest.mark.parametrize("keys", [("b",), ("2",), ("3",), ("4",), ("a",), ("r",), ("slash", *"mend", "enter")], ids="".join)
async def test_it_grows_whatever_one_looks_at(path: Path, keys: tuple[str, ...]) -> None:
    async with opened(path, *keys) as shown:
        append(path, MORE)
        await look(shown)
        path.write_bytes(LINES[0])
        await look(shown)
        await shown.press("escape", "escape", "1")
        assert len(listed(shown)) == 1


async def test_a_small_change_to_a_file_that_holds_no_session(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"just words\n")
    async with opened(path) as shown:
        append(path, b"and more\n")
        await look(shown)
        assert "holds no session record" in " ".join(shown.lines("#list-0"))
        assert len(shown.told) == 1
