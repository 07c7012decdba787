"""Whatever a session names its tools, blocks, roles and models, nothing of it reaches the terminal as a command."""

from pathlib import Path

import pytest

from tests.builders import boundary, call, file_of, reply, result, summary, user
from tests.tui.opening import opened

pytestmark = pytest.mark.long

EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b[31m\u202e[bold]"


def hostile() -> bytes:
    """A conversation with a compaction, in which every name is a command to the terminal."""
    strange = user(5, "x")
    strange["message"] |= {"role": "user" + EVIL, "content": [{"type": "holo" + EVIL, "x": EVIL}, {"type": "text", "text": EVIL}]}
    named = reply(2, call("t1" + EVIL, name="Bash" + EVIL, **{"k" + EVIL: EVIL}))
    named["message"]["model"] = "model" + EVIL
    cut = boundary(6)
    cut["compactMetadata"] = {"trigger": EVIL, "more" + EVIL: EVIL}
    again = reply(8, call("t2", name=EVIL))
    attached = {"type": "attachment", "attachment": {"type": "file" + EVIL, "filename": EVIL, "content": EVIL}}
    after = user(9, "y") | attached
    records = (user(1, EVIL), named, user(3, result("t1" + EVIL, EVIL)), reply(4, EVIL), strange, cut, summary(7), again, after)
    return file_of(*(record | {"version": "2.1.34" + EVIL, "gitBranch": EVIL} for record in records))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_no_name_acts_on_the_terminal(size: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(hostile())
    async with opened(path, size=size) as shown:
        for key in ("v", "up", "b", "down", "B", "escape", "2", "v", "3", "4", "5", "n", "7", "down"):
            await shown.press(key)
            assert "".join(shown.picture).isprintable(), key
