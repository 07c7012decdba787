"""What comes back beside files: instructions, skills, plan, agents, todos, lists; and the form it comes in."""

from dataclasses import replace

from tests.compaction.test_restoring_files import back, seen, why
from workbench.compaction.restoring import Restored
from workbench.compaction.working_set import Listing, SeenFile, Skill, WorkingSet
from workbench.conversation.array import assemble

EVERYTHING = WorkingSet(
    files=(seen("/a.py", order=1),),
    skills=(Skill("tidy", "/skills/tidy", "Sweep.", 1),),
    instructions=(("/CLAUDE.md", "Be kind."),),
    plan=SeenFile("/plan.md", "1. Dig", "transcript", role="plan"),
    plan_mode=True,
    todos=(("dig", "completed"), ("build", "pending")),
    agents=("look around (a1)",),
    listings=(Listing("deferred_tools_delta", ("Fetch",), "Tools: Fetch", ("Fetch: gets",)), Listing("date", (), "Monday")),
)


def text_of(found: Restored, kind: str) -> str:
    (text,) = [a.row.blocks[0].body["text"] for a in found.attachments if a.kind == kind]  # type: ignore[index]
    return str(text)


def test_everything_comes_back_in_one_order_instructions_first() -> None:
    found = back(EVERYTHING)
    early, late = ["instructions", "file", "invoked_skills", "plan", "plan_mode"], ["task_status", "todo_reminder"]
    assert [a.kind for a in found.attachments] == [*early, *late, "deferred_tools_delta", "date"]


def test_what_comes_back_is_sent_as_reminders_in_one_user_message() -> None:
    found = back(EVERYTHING)
    (message,) = assemble(a.row for a in found.attachments)
    assert message.role == "user"
    assert all(text.startswith("<system-reminder>") for b in message.blocks if b.body for text in [b.body["text"]])


def test_the_same_input_makes_the_same_rows_and_no_two_have_one_id() -> None:
    first, second = back(EVERYTHING), back(EVERYTHING)
    assert first == second
    assert len({a.row.uuid for a in first.attachments}) == len(first.attachments)


def test_every_attachment_has_a_reason_and_a_form_on_disk() -> None:
    found = back(EVERYTHING)
    rows = [a.row.uuid for a in found.attachments]
    assert [c.uuids[0] for c in found.changes] == rows
    assert all(c.reason for c in found.changes)
    assert {u: b["attachment"]["type"] for u, b in found.bodies.items()} == {a.row.uuid: a.kind for a in found.attachments}


def test_the_reason_tells_what_came_back() -> None:
    reason = back(EVERYTHING).reason
    for words in (
        "1 file (10 tokens)",
        "project instructions",
        "skills",
        "the plan",
        "plan mode",
        "a running agent",
        "open todos",
    ):
        assert words in reason
    assert back(WorkingSet()).reason == "There is nothing to bring back."


def test_skills_come_newest_first_cut_to_the_start_of_each() -> None:
    skills = (Skill("old", "/old", "x" * 400, 1), Skill("new", "/new", "start" + "y" * 40_000, 2))
    found = back(WorkingSet(skills=skills))
    (one,) = found.attachments
    body = found.bodies[one.row.uuid]["attachment"]["skills"]
    assert [s["name"] for s in body] == ["new", "old"]
    assert (len(body[0]["content"]), body[0]["content"][:5]) == (20_000, "start")
    assert (one.tokens, one.truncated, one.name) == (5_100, True, "new, old")
    assert why(found)["new"] == "cut to 5,000 of 10,002 tokens, from its start"


def test_a_skill_that_does_not_fit_is_skipped_and_an_older_one_may_fit() -> None:
    skills = tuple(
        Skill(f"s{n}", "", "z" * size, n) for n, size in enumerate((400, 16_000, 20_000, 20_000, 20_000, 20_000, 20_000))
    )
    found = back(WorkingSet(skills=skills))
    assert found.attachments[0].name == "s6, s5, s4, s3, s2"
    assert found.attachments[0].tokens == 25_000
    assert "do not fit" in why(found)["s1"]
    roomy = back(WorkingSet(skills=skills), skillsTokenBudget=25_100)
    assert roomy.attachments[0].name == "s6, s5, s4, s3, s2, s0"


def test_a_skill_whose_text_is_not_recorded_is_named_as_left_out() -> None:
    assert why(back(WorkingSet(skills=(Skill("tidy", "", None),))))["tidy"] == "its text is not in the transcript"


def test_instructions_know_no_budget_and_come_from_disk_where_files_do() -> None:
    working = WorkingSet(instructions=(("/CLAUDE.md", "rule " * 20_000),))
    assert back(working).attachments[0].tokens == 25_000
    assert "Be brief." in text_of(back(working, disk={"/CLAUDE.md": "Be brief."}), "instructions")
    assert "rule" in text_of(back(working, disk={}), "instructions")


def test_instructions_of_a_folder_return_with_its_files() -> None:
    assert "file of its folder" in why(back(WorkingSet(nested=(("/web/CLAUDE.md", "x"),))))["/web/CLAUDE.md"]


def test_a_plan_without_text_is_left_out_and_plan_mode_comes_back_all_the_same() -> None:
    plan = SeenFile("/plan.md", None, "unknown", role="plan", why="its text is not recorded")
    found = back(WorkingSet(plan=plan, plan_mode=True))
    assert [a.kind for a in found.attachments] == ["plan_mode"]
    assert why(found)["/plan.md"] == "its text is not known: its text is not recorded"
    assert found.bodies[found.attachments[0].row.uuid]["attachment"]["planExists"] is False


def test_plan_mode_that_is_off_or_unknown_does_not_come_back() -> None:
    assert back(WorkingSet(plan_mode=False)).attachments == back(WorkingSet(plan_mode=None)).attachments == ()


def test_todos_come_back_while_one_is_open() -> None:
    assert "[pending] build" in text_of(back(EVERYTHING), "todo_reminder")
    done = replace(EVERYTHING, todos=(("dig", "completed"),))
    assert why(back(done))["todos"] == "all 1 are done"


def test_a_running_agent_is_named_so_that_it_is_not_started_twice() -> None:
    found = back(EVERYTHING)
    assert "look around (a1)" in text_of(found, "task_status")
    (body,) = [b["attachment"] for b in found.bodies.values() if b["attachment"]["type"] == "task_status"]
    assert (body["taskId"], body["description"], body["status"]) == ("a1", "look around", "running")


def test_lists_come_back_in_full_as_a_delta_against_nothing() -> None:
    found = back(EVERYTHING)
    assert "Tools: Fetch" in text_of(found, "deferred_tools_delta")
    (body,) = [b["attachment"] for b in found.bodies.values() if b["attachment"]["type"] == "deferred_tools_delta"]
    assert (body["addedNames"], body["addedLines"], body["removedNames"]) == (["Fetch"], ["Fetch: gets"], [])
