"""What an edit changes, line by line."""

from workbench.tui.painting.diff import diff


def told(old: str, new: str) -> list[str]:
    return [line for paragraph in diff(old, new) for line in paragraph.text.split("\n")]


def test_the_lines_that_go_and_come_with_some_around_them() -> None:
    before = "\n".join("abcdefghij")
    around = ["  b", "  c", "  d", "- e", "+ E", "  f", "  g", "  h"]
    assert told(before, before.replace("e", "E")) == ["  a", *around, "⋯ 2 lines as they were"]


def test_styles_are_those_of_fates() -> None:
    assert [p.style for p in diff("a\nb", "a\nc")] == ["text", "dropped", "added"]


def test_a_line_behind_the_last_one_keeps_its_neighbours() -> None:
    assert told("a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\nf\ng") == ["⋯ 3 lines as they were", "  d", "  e", "  f", "+ g"]


def test_nothing_changed() -> None:
    assert told("a", "a") == ["  a"]


def test_texts_too_alike_to_compare_go_and_come_whole() -> None:
    old, new = "\n".join(["", "a"] * 500), "\n".join(["", "b"] * 500)
    assert [p.style for p in diff(old, new)] == ["dropped", "added"]
