"""The working set but for its files: skills, plan, todos, agents, what was announced, instructions, and what is unknown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compaction.story import HERE, Story
from workbench.compaction.reconstruct import working_set

SKILL = "Base directory for this skill: /home/ada/skills/tidy\n\n# Tidy\nSweep."
PLAN = "/home/ada/.claude/plans/brave-otter.md"


def test_a_skill_comes_with_the_text_that_was_loaded_for_it() -> None:
    story = Story().call("Skill", {"skill": "tidy"}).says(SKILL, isMeta=True, sourceToolUseID="call_1").replies()
    (skill,) = story.set.skills
    assert (skill.name, skill.path, skill.content) == ("tidy", "/home/ada/skills/tidy", SKILL)


def test_a_slash_command_that_loads_a_text_is_a_skill_and_one_that_prints_is_none() -> None:
    story = Story().says("<command-message>tidy</command-message>\n<command-name>/tidy</command-name>").says(SKILL, isMeta=True)
    story.replies().says("<local-command-caveat>Mind.</local-command-caveat>", isMeta=True)
    story.says("<command-name>/cost</command-name>").says("<local-command-stdout>9</local-command-stdout>")
    story.says("Continue from where you left off.", isMeta=True).replies()
    assert [(s.name, s.content) for s in story.set.skills] == [("tidy", SKILL)]


def test_the_newest_use_ranks_highest_and_a_use_without_text_keeps_the_known_one() -> None:
    story = Story().call("Skill", {"skill": "tidy"}).says(SKILL, isMeta=True).replies()
    story.call("Skill", {"skill": "count"}).says("Count.", isMeta=True).replies().call("Skill", {"skill": "tidy"}).replies()
    skills = {s.name: s for s in story.set.skills}
    assert skills["tidy"].order > skills["count"].order
    assert skills["tidy"].content == SKILL


def test_a_skill_whose_text_is_not_in_the_session_is_known_by_name() -> None:
    assert [(s.name, s.content) for s in Story().call("Skill", {"skill": "tidy"}).replies().set.skills] == [("tidy", None)]


def test_skills_that_the_last_compaction_brought_back_count_in_their_order() -> None:
    given = [{"name": "new", "path": "/n", "content": "N"}, {"name": "old", "path": "/o", "content": "O"}]
    story = Story().compacted().attached("invoked_skills", skills=given).says("go on")
    assert [s.name for s in story.set.skills] == ["old", "new"]


def test_entering_and_leaving_plan_mode() -> None:
    story = Story().says("go").call("EnterPlanMode", {})
    assert story.set.plan_mode is True
    story.call("ExitPlanMode", {"plan": "1. Dig"}, "approved")
    found = story.set
    assert (found.plan_mode, found.plan.text if found.plan else None) == (False, "1. Dig")


def test_a_plan_that_was_turned_down_is_the_plan_still_and_the_mode_stays_on() -> None:
    found = Story().says("go", permissionMode="plan").call("ExitPlanMode", {"plan": "1. Dig"}, "no", failed=True).set
    assert (found.plan_mode, found.plan.text if found.plan else None) == (True, "1. Dig")


def test_the_plan_s_file_counts_where_it_was_written_later() -> None:
    story = Story().call("ExitPlanMode", {"plan": "1. Dig"}, f"approved\n\nYour plan has been saved to: {PLAN}\n")
    plan = story.edits(PLAN, "Dig", "Build", originalFile="1. Dig").set.plan
    assert plan is not None and (plan.path, plan.text) == (PLAN, "1. Build")


def test_plan_mode_as_attachments_tell_it() -> None:
    story = Story().attached("plan_mode", planFilePath=PLAN, planExists=False)
    assert story.says("x").set.plan_mode is True
    plan = story.set.plan
    assert plan is not None and (plan.path, plan.text) == (PLAN, None)
    assert story.attached("plan_mode_exit").says("y").set.plan_mode is False


def test_a_prompt_tells_the_mode_and_may_carry_the_plan() -> None:
    found = Story().says("Do it.", permissionMode="default", planContent="1. Dig").set
    assert (found.plan_mode, found.plan.text if found.plan else None) == (False, "1. Dig")


def test_todos_as_they_were_written_last() -> None:
    story = Story().call("TodoWrite", {"todos": [{"content": "dig", "status": "pending"}]})
    story.call("TodoWrite", {"todos": [{"content": "dig", "status": "completed"}, {"content": "build", "status": "in_progress"}]})
    assert story.says("on", todos=[]).set.todos == (("dig", "completed"), ("build", "in_progress"))


def test_tasks_as_they_were_made_and_changed() -> None:
    story = Story().attached("task_reminder", content=[{"id": "1", "subject": "dig", "status": "pending"}], itemCount=1)
    story.call("TaskCreate", {"subject": "build"}, "Task #2 created", {"task": {"id": "2", "subject": "build"}})
    story.call("TaskUpdate", {"taskId": "1", "status": "completed"}).call("TaskUpdate", {"taskId": "9", "status": "in_progress"})
    assert story.set.todos == (("dig", "completed"), ("build", "pending"), ("task #9", "in_progress"))


STARTED = {"isAsync": True, "status": "async_launched", "agentId": "a1", "description": "look around"}


def test_an_agent_in_the_background_runs_until_its_end_is_told() -> None:
    story = Story().call("Agent", {"description": "look around"}, "started", STARTED)
    assert story.set.agents == ("look around (a1)",)
    notice = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>"
    assert story.says(notice).set.agents == ()


@pytest.mark.parametrize(
    ("tool", "given", "detail", "agents"),
    [
        ("TaskStop", {"task_id": "a1"}, {"task_id": "a1"}, ()),
        ("TaskOutput", {"task_id": "a1"}, {"task": {"task_id": "a1", "status": "completed"}}, ()),
        ("TaskOutput", {"task_id": "a1"}, {"task": {"task_id": "a1", "status": "running"}}, ("look around (a1)",)),
    ],
)
def test_how_an_agent_ends(tool: str, given: dict[str, str], detail: dict[str, object], agents: tuple[str, ...]) -> None:
    story = Story().call("Task", {"description": "look around"}, "started", STARTED)
    assert story.call(tool, given, "x", detail).set.agents == agents


def test_an_agent_that_was_waited_for_does_not_run() -> None:
    assert Story().call("Agent", {"description": "look"}, "found", {"agentId": "a1", "status": "completed"}).set.agents == ()


def test_deltas_are_replayed_to_the_full_list() -> None:
    story = Story().attached("deferred_tools_delta", addedNames=["Fetch", "Mail"], addedLines=["Fetch: gets", "Mail"])
    story.attached("deferred_tools_delta", addedNames=["Sing"], addedLines=["Sing"], removedNames=["Mail"])
    (listing,) = story.says("go").set.listings
    assert (listing.names, listing.lines) == (("Fetch", "Sing"), ("Fetch: gets", "Sing"))
    assert listing.text.endswith("\nFetch: gets\nSing")


def test_a_list_that_one_announcement_made_is_sent_as_it_was() -> None:
    sent = "<system-reminder>\nThese agents exist:\n- scout\n</system-reminder>"
    story = Story().attached("agent_listing_delta", sent, addedTypes=["scout"], addedLines=["- scout"], isInitial=True)
    (listing,) = story.says("go").set.listings
    assert (listing.kind, listing.text) == ("agent_listing_delta", "These agents exist:\n- scout")


def test_lists_start_from_nothing_behind_a_boundary() -> None:
    story = Story().attached("deferred_tools_delta", addedNames=["Fetch"], addedLines=["Fetch"]).says("go").compacted()
    assert story.says("on").set.listings == ()
    story.attached("mcp_instructions_delta", addedNames=["mill"], addedBlocks=["## mill\nGrind."]).says("more")
    assert [(x.kind, x.names) for x in story.set.listings] == [("mcp_instructions_delta", ("mill",))]


def test_the_list_of_skills_and_the_newest_notices() -> None:
    story = Story().attached("skill_listing", content="- tidy: sweeps\n- a:b: counts\n  far", isInitial=True)
    story.attached("date", "<system-reminder>Monday</system-reminder>", date="1").attached("date", "Tuesday", date="2")
    skills, date = story.says("go").set.listings
    assert (skills.names, skills.lines) == (("tidy", "a:b"), ("- tidy: sweeps", "- a:b: counts\n  far"))
    assert (date.kind, date.text) == ("date", "Tuesday")


def test_deferred_tools_in_use_are_those_called_and_those_of_the_boundary() -> None:
    story = Story().compacted(preCompactDiscoveredTools=["Mail"])
    story.attached("deferred_tools_delta", addedNames=["Fetch", "Sing"], addedLines=["Fetch", "Sing"])
    assert story.call("Fetch", {}).call("Bash", {}).set.discovered_tools == ("Mail", "Fetch")


def test_a_tool_that_a_search_loaded_is_in_use() -> None:
    story = Story().call("ToolSearch", {"query": "sing"}, [{"type": "tool_reference", "tool_name": "Sing"}])
    assert story.set.discovered_tools == ("Sing",)


def test_instructions_are_the_ones_sent_last_or_their_file_as_changed_since() -> None:
    path = f"{HERE}/CLAUDE.md"
    story = Story().attached("instructions", files=[{"path": path, "type": "Project", "content": "Be kind."}]).says("go")
    assert story.set.instructions == ((path, "Be kind."),)
    assert story.writes(path, "Be brief.").set.instructions == ((path, "Be brief."),)


def test_where_no_instructions_were_sent_their_file_counts_if_it_was_read() -> None:
    story = Story().reads(f"{HERE}/CLAUDE.md", "Be kind.").reads(f"{HERE}/web/CLAUDE.md", "Only here.")
    assert story.set.instructions == ((f"{HERE}/CLAUDE.md", "Be kind."),)


def test_instructions_of_a_folder_stand_apart() -> None:
    content = {"path": f"{HERE}/web/CLAUDE.md", "type": "Project", "content": "Only here."}
    story = Story().attached("nested_memory", path=f"{HERE}/web/CLAUDE.md", content=content).says("go")
    assert (story.set.nested, story.set.instructions) == (((f"{HERE}/web/CLAUDE.md", "Only here."),), ())


def test_what_cannot_be_known_is_said() -> None:
    unknown = " ".join(Story().says("go").compacted().says("on").set.unknown)
    for word in ("project instructions", "last compaction brought back", "announced again", "plan mode"):
        assert word in unknown


def test_a_version_that_records_attachments_would_record_plan_mode() -> None:
    assert Story().says("go").set.plan_mode is None
    assert Story().attached("date", "Monday").says("go").set.plan_mode is False


def test_where_everything_is_recorded_nothing_is_unknown() -> None:
    story = Story().attached("instructions", files=[{"path": "/c", "content": "x"}]).says("go")
    assert story.attached("skill_listing", content="- a: b", isInitial=True).says("on").set.unknown == ()


def test_no_rows_make_an_empty_set() -> None:
    found = working_set(())
    assert (found.files, found.skills, found.plan, found.plan_mode, found.todos, found.agents, found.listings) == (
        (), (), None, None, (), (), (),
    )  # fmt: skip


NAMES = (
    "file", "type", "content", "filePath", "startLine", "totalLines", "edits", "structuredPatch",
    "originalFile", "todos", "tasks", "task", "id", "task_id", "status", "isAsync", "agentId", "plan",
    "skills", "name", "path", "files", "filename", "names", "addedNames", "addedLines", "removedNames",
    "addedTypes", "isInitial", "text", "file_path", "old_string", "skill", "subject", "taskId",
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("a/#\n", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=8,
)
TOOLS = (
    "Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "Skill", "Task", "TaskOutput", "TodoWrite",
    "TaskCreate", "ExitPlanMode",
)  # fmt: skip
KINDS = (
    "file", "edited_text_file", "invoked_skills", "plan_mode", "task_reminder", "skill_listing",
    "agent_listing_delta", "instructions",
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(TOOLS + KINDS), JSON, JSON), max_size=6))
def test_whatever_the_records_hold_the_set_is_put_together(rows: list[tuple[str, object, object]]) -> None:
    story = Story().says("go", todos=3, planContent=[], permissionMode={}, cwd=7)
    for kind, first, second in rows:
        fields = first if isinstance(first, dict) else {}
        if kind in TOOLS:
            story.call(kind, fields, "x", second)
        else:
            story.row("attachment", attachment={**fields, "type": kind})
    found = story.says("on", sourceToolUseID=4, isMeta=True).set
    assert all(file.order for file in found.files)
