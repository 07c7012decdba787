"""A stage as a line, the ladder to scale, the keep window, and the mark of a simulated compaction."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.builders import boundary, file_of, summary, user
from tests.workspace.making import open_file, sample
from tests.workspace.stepping import drawn, shown, taken
from workbench.memory.start import Start
from workbench.memory.window import KeepWindow, Step
from workbench.tui.painting.chart import SIMULATED, ChartModel, Mark, Point
from workbench.tui.painting.chart_columns import View, columns
from workbench.tui.painting.chart_draw import GUTTER, draw
from workbench.tui.painting.ladder import filled, threshold_ladder
from workbench.tui.painting.palette import Palette
from workbench.tui.painting.sheet import Sheet
from workbench.tui.painting.steps import flow_line, status_line
from workbench.tui.painting.steps_lines import array_header, array_line
from workbench.tui.painting.steps_page import stage_document
from workbench.tui.painting.steps_window import SHOWN, keep_window_picture
from workbench.tui.theme import ROLES
from workbench.workspace.steps import Steps
from workbench.workspace.steps_arrays import Gap, arrays_of
from workbench.workspace.steps_plan import END, Wish
from workbench.workspace.steps_plan import Point as Begins

PALETTE = Palette((("background", "#000000"), *((role, row[1]) for role, row in ROLES.items())))


@pytest.fixture(scope="module")
def steps() -> Steps:
    opened = sample("02")
    found = shown(opened, taken(drawn(opened))).steps
    assert found is not None
    return found


def words(line: object) -> str:
    return "".join(segment.text for segment in line)  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [28, 34, 48, 62, 120])
def test_a_stage_fills_its_line_and_keeps_its_tokens(steps: Steps, width: int) -> None:
    for node in steps.nodes:
        line = words(flow_line(node, steps.told_of(node), width, True, PALETTE))
        assert cell_len(line) <= width
        told = steps.told_of(node)
        if told is not None and width >= 34 and node.name != "session-memory":
            assert line.rstrip().endswith(f"{told.after:,}")


def test_without_the_overhead_tokens_are_lower_bounds_and_of_nothing_none_are_told(tmp_path: Path) -> None:
    talk = (summary(2, "What was. " * 40), user(3, "On."))
    for rows, sign in ((talk, "≥"), ((), "-")):
        path = tmp_path / "s.jsonl"
        path.write_bytes(file_of(boundary(1, metadata={"postTokens": 4000}), *rows))
        opened, wish = open_file(path), Wish(Begins(END), variant="full")
        workspace = shown(opened, taken(drawn(opened, wish)), wish)
        steps = workspace.steps
        assert steps is not None and steps.run is not None
        told = steps.told[0]
        assert words(flow_line(steps.nodes[0], told, 48, False, PALETTE)).rstrip().endswith(f" {sign}{told.after or ''}")
        line = status_line(workspace, 120, PALETTE).plain
        assert ("lower bounds" in line) == bool(rows) and "est. rough" not in line and " 0 →" not in line


def test_the_ladder_is_to_scale(steps: Steps) -> None:
    assert steps.run is not None
    sheet = Sheet(140)
    threshold_ladder(sheet, steps.run.ground, steps.run.plan.settings)
    lines = {line[2:20].strip(): line for line in sheet.document().text.split("\n")}
    lengths = {name: line.count("━") + line.count("╸") / 2 for name, line in lines.items() if "━" in line}
    assert lengths["window"] > lengths["effective window"] > lengths["manual limit"] > lengths["threshold"] > lengths["warning"]
    assert lengths["threshold"] / lengths["window"] == pytest.approx(167_000 / 200_000, abs=0.03)
    assert "≥ 167,000: reached" in lines["context"]
    assert "getAutoCompactThreshold" in lines["threshold"] or "less" in lines["threshold"]


def test_bars_show_anything_at_all() -> None:
    assert (filled(0, 100, 10).strip(), filled(1, 10_000, 10).strip(), filled(50, 100, 10).strip()) == ("", "╸", "━━━━━")
    assert filled(500, 100, 10) == "━" * 10


def test_a_long_growth_is_counted_in_the_middle(steps: Steps) -> None:
    assert steps.run is not None
    rows = steps.run.ground.rows
    grown = tuple(Step(at, rows[at].uuid, at * 100, at % 7) for at in range(60))
    window = KeepWindow(0, Start(59, "guess", None, "A guess."), grown, "maximum", "The maximum stopped it.")
    sheet = Sheet(100)
    keep_window_picture(sheet, window, rows, steps.run.plan.settings)
    lines = sheet.document().text.split("\n")
    assert any(f"⋯ {60 - SHOWN} steps more" in line for line in lines)
    assert "stopped by: maximum" in lines[-1]


@pytest.mark.parametrize("width", [30, 60, 100])
def test_every_stage_is_explained_at_any_width(steps: Steps, width: int) -> None:
    for at, node in enumerate(steps.nodes):
        text = stage_document(Steps(steps.wish, run=steps.run, nodes=steps.nodes, told=steps.told, selected=at), width).text
        assert "there" in text
        if node.result is not None:
            assert "faults after it" in text
            assert node.result.reason.split()[0] in text


@pytest.mark.parametrize("width", [50, 79, 118])
def test_both_sides_fill_a_line(steps: Steps, width: int) -> None:
    result = next(node.result for node in steps.nodes if node.name == "clean")
    assert result is not None
    arrays = arrays_of(result)
    for line in arrays.lines[:5]:
        assert cell_len(words(array_line(line, width, True, {}, PALETTE))) <= width
    assert words(array_header(width, True, PALETTE)).count("│") == 1
    assert "1 message as before" in words(array_line(Gap(1), width, False, {}, PALETTE))


def chart(index: int, after: int | None, calls: int = 10, width: int = 60) -> list[str]:
    model = ChartModel(tuple(Point(100_000) for _ in range(calls)), marks=(Mark(index, SIMULATED, "", after),))
    view = View(0, calls)
    rows = draw(model, columns(model, view, width - GUTTER), view, 0, width, 8, PALETTE, "")
    return [words(row) for row in rows]


def test_a_simulated_compaction_is_a_dotted_line_with_what_it_leaves() -> None:
    rows = chart(5, 25_000)
    at = rows[-1].index("▼")
    assert [row[at] for row in rows[:3]] == ["┊"] * 3 and rows[-2][at] == "█"
    assert "▼─→ 25K" in rows[-1]


def test_before_it_is_put_together_only_its_place_is_marked() -> None:
    rows = chart(5, None)
    at = rows[-1].index("▼")
    assert {row[at] for row in rows[:-1]} == {"┊"} and "→" not in rows[-1]


def test_at_the_end_it_stands_behind_the_last_call_or_on_it() -> None:
    roomy, full = chart(4, 25_000, calls=4), chart(400, 25_000, calls=400)
    assert roomy[-1].index("▼") > roomy[-2].rindex("█", 0, roomy[-1].index("▼"))
    assert "→ 25K" in full[-1] and full[-1].index("▼") > full[-1].index("→ 25K")
