"""What stands where: nothing at the top level beyond the design, few pictures, nothing large."""

from tests.house.files import ROOT, kept, named

TOP_LEVEL = {"LICENSE", "README.md", "pyproject.toml", "sample_sessions", "tests", "workbench"}
PICTURES = 25
"""Each release of Textual changes every picture, and each has to be looked at again."""


def test_the_top_level_is_the_design_s() -> None:
    present = {named(path).partition("/")[0] for path in kept()}
    assert {name for name in present if not name.startswith(".")} == TOP_LEVEL


def test_pictures_are_few() -> None:
    pictures = [path for path in kept() if "__snapshots__" in path.parts]
    assert len(pictures) <= PICTURES, "flows are cheaper than pictures: keep those that show something a flow cannot"


def test_everything_is_of_a_size_one_can_look_through() -> None:
    assert not [named(path) for path in kept() if path.stat().st_size > 2_000_000]


def test_there_is_a_line_for_every_sample() -> None:
    listed = (ROOT / "sample_sessions" / "README.md").read_text()
    assert not [path.name for path in (ROOT / "sample_sessions").glob("*.jsonl") if f"`{path.name}`" not in listed]
