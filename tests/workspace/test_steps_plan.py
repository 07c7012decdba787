"""The plan form: what its fields are, what a user's text makes of them, and the sentence for what does not count."""

from dataclasses import replace

import pytest

from tests.workspace.making import sample
from workbench.compaction.settings import ENVIRONMENT, FLAG, Layer
from workbench.errors import UsageError
from workbench.workspace.moves import opened as opened_move
from workbench.workspace.moves import to_boundary, to_call, to_view
from workbench.workspace.opened import Opened
from workbench.workspace.state import Workspace
from workbench.workspace.steps_form import Field, fields_of
from workbench.workspace.steps_plan import (
    BOUNDARY,
    CALL,
    END,
    Point,
    Wish,
    column_of,
    first_wish,
    line_of,
    moved_to,
    plan_for,
    point_shown,
    point_words,
    settings_for,
)
from workbench.workspace.steps_reading import with_default, with_value
from workbench.workspace.view import CALL as OF_CALL
from workbench.workspace.view import View


@pytest.fixture(scope="module")
def opened() -> Opened:
    return sample("02")


def field(wish: Wish, opened: Opened, name: str) -> Field:
    return next(f for f in fields_of(wish, opened) if f.name == name)


def settings(wish: Wish, opened: Opened) -> object:
    return settings_for(wish, opened.settings, opened.session.index.last_version)


def test_every_setting_has_a_line_with_default_value_and_source(opened: Opened) -> None:
    fields = fields_of(Wish(), opened)
    assert {f.name for f in fields} >= set(opened.settings)
    reserve = field(Wish(), opened, "summaryReserve")
    assert (reserve.value, reserve.default, reserve.source) == ("20,000", "20,000", "preset since-2.1.25")
    assert field(Wish(preset="until-2.1.20"), opened, "summaryReserve").value == "32,000"
    assert "AUTOCOMPACT_BUFFER_TOKENS" in field(Wish(), opened, "autocompactBuffer").about


def test_another_profile_keeps_what_was_given_from_outside(opened: Opened) -> None:
    base = opened.settings.layered(Layer(ENVIRONMENT, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500k"}))
    base = base.layered(Layer(FLAG, {"maxRetries": 7}))
    found = settings_for(Wish(profile="observed-2.1.332", edits=(("keepRecent", "9"),)), base, "2.1.332")
    assert (found.profile, found.on("keepLastRound")) == ("observed-2.1.332", True)
    assert (found["maxRetries"].value, found["maxRetries"].origin) == (7, "flag")
    assert (found["keepRecent"].value, found["keepRecent"].origin) == (9, "form")
    assert found["autoCompactWindow"].source == ENVIRONMENT


@pytest.mark.parametrize(
    ("name", "text", "wish"),
    [
        ("variant", "full", Wish(variant="full")),
        ("start", "boundary 2", Wish(Point(BOUNDARY, 1))),
        ("start", "call 58", Wish(Point(CALL, 57))),
        ("start", "end", Wish()),
        ("trigger", "manual", Wish(trigger="manual")),
        ("instructions", "  keep the paths ", Wish(instructions="keep the paths")),
        ("summarizer", "file:notes.md", Wish(summarizer="file:notes.md")),
        ("preset", "2.1.7", Wish(preset="until-2.1.20")),
        ("minTokens", "12k", Wish(edits=(("minTokens", "12k"),))),
    ],
)
def test_what_text_makes_of_a_field(opened: Opened, name: str, text: str, wish: Wish) -> None:
    assert with_value(Wish(), name, text, opened) == wish


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("variant", "fast", "There is no variant 'fast'; there are auto, session-memory"),
        ("start", "boundary 3", "no boundary 3: there are 2"),
        ("start", "call 9999", "no call 9999: there are"),
        ("start", "somewhere", "write end, call N or boundary N"),
        ("trigger", "both", "trigger is auto or manual"),
        ("pivot", "999999", "Line 999999 holds no row"),
        ("pivot", "no-such-row", "No row has the uuid no-such-row"),
        ("summarizer", "gpt", "There is no summarizer 'gpt'"),
        ("summarizer", "file:", "write file:PATH"),
        ("profile", "mine", "There is no profile 'mine'"),
        ("preset", "99", "There is no preset '99'"),
        ("minTokens", "many", "minTokens: 'many' is not a number; it stays 10,000."),
        ("sessionMemory", "perhaps", "is neither on nor off; it stays on"),
        ("autocompactBuffer", "190k", "leaves no threshold; raise"),
    ],
)
def test_what_does_not_count_is_told_and_changes_nothing(opened: Opened, name: str, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        with_value(Wish(), name, text, opened)


def test_a_pivot_is_named_by_line_and_kept_by_uuid(opened: Opened) -> None:
    line = opened.session.index.lines[20]
    wish = with_value(Wish(), "pivot", str(line), opened)
    assert wish.pivot == opened.session.index.uuids[20]
    assert field(wish, opened, "pivot").value == str(line)
    assert with_value(wish, "pivot", "", opened).pivot == ""


def test_back_to_the_default(opened: Opened) -> None:
    wish = Wish(variant="full", trigger="auto", edits=(("minTokens", "5"), ("maxTokens", "9")))
    assert with_default(wish, field(wish, opened, "minTokens"), opened).edits == (("maxTokens", "9"),)
    assert with_default(wish, field(wish, opened, "trigger"), opened).trigger == ""
    assert with_default(wish, field(wish, opened, "variant"), opened).variant == "auto"


def test_choices_go_round(opened: Opened) -> None:
    variant = field(Wish(), opened, "variant")
    assert (variant.neighbour(1), variant.neighbour(-1)) == ("session-memory", "fold")
    assert field(Wish(Point(CALL, 7)), opened, "start").neighbour(1) == "end"


def test_a_cut_needs_a_message(opened: Opened) -> None:
    with pytest.raises(UsageError, match="select one and press m"):
        plan_for(Wish(variant="from"), opened.settings)
    assert plan_for(Wish(variant="from", pivot="x"), opened.settings).trigger == "manual"


def test_it_starts_where_the_screen_stands(opened: Opened) -> None:
    now = opened_move(Workspace("a session"), opened)
    assert point_shown(now) == Point()
    assert point_shown(to_call(now, 10)) == Point(CALL, 10)
    assert point_shown(to_view(now, View(OF_CALL, 4))) == Point(CALL, 4)
    assert first_wish(to_boundary(now, 1)).point == Point(BOUNDARY, 0)
    assert first_wish(Workspace("still being read")) == Wish()


def test_a_compaction_that_came_by_the_api_s_answer_is_simulated_as_reactive() -> None:
    reactive, usual = sample("12"), sample("02")
    wish = moved_to(Point(BOUNDARY, 0), Wish(), reactive)
    assert (wish.variant, wish.trigger) == ("reactive", "")
    assert moved_to(Point(), wish, reactive).variant == "auto", "only that compaction"
    assert moved_to(Point(BOUNDARY, 0), Wish(variant="full"), reactive).variant == "full", "what the form says stays"
    assert moved_to(Point(BOUNDARY, 0), Wish(), usual).variant == "auto"


def test_a_compaction_that_is_shown_has_the_call_where_it_fired_under_the_cursor(opened: Opened) -> None:
    now = to_boundary(opened_move(Workspace("a session"), opened), 1)
    line, points = opened.inspection.boundaries[0].boundary.line, opened.timeline.points
    assert points[now.call].line < line < points[now.call + 1].line


def test_the_calls_on_both_sides_of_a_compaction_stand_for_it(opened: Opened) -> None:
    now = opened_move(Workspace("a session"), opened)
    behind = column_of(Point(BOUNDARY, 0), opened)
    assert point_shown(to_call(now, behind)) == Point(BOUNDARY, 0)
    assert point_shown(to_call(now, behind - 1)) == Point(BOUNDARY, 0)  # where it fires
    assert point_shown(to_call(now, behind - 2)) == Point(CALL, behind - 2)
    assert point_shown(to_view(now, View(OF_CALL, behind - 1))) == Point(CALL, behind - 1)


def test_a_compaction_by_hand_is_simulated_by_hand() -> None:
    opened = sample("03")
    now = to_boundary(opened_move(Workspace("a session"), opened), 1)
    wish = first_wish(now)
    assert (wish.point, wish.trigger) == (Point(BOUNDARY, 0), "manual")
    assert moved_to(Point(), wish, opened).trigger == ""
    assert moved_to(Point(BOUNDARY, 0), Wish(trigger="auto"), opened).trigger == "auto"


def test_where_it_starts_in_words(opened: Opened) -> None:
    line = opened.inspection.boundaries[1].boundary.line
    assert point_words(Point(BOUNDARY, 1), opened) == f"boundary 2, line {line:,}"
    assert (line_of(Point(END), opened), point_words(Point(), opened)) == (None, "the end")
    assert column_of(Point(), opened) == len(opened.timeline.points)


def test_a_request_has_no_lines_to_start_at() -> None:
    with pytest.raises(UsageError, match="This session has no call"):
        line_of(Point(CALL, 0), replace(sample("02"), timeline=replace(sample("02").timeline, points=())))
