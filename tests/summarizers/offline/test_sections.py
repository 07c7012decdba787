"""What each section of the offline summary holds."""

import json

import pytest

from tests.memory.making import call, replied, result, said
from tests.summarizers.offline.reading import sections, tokens
from workbench.compaction.cleaning import clean
from workbench.compaction.profiles import resolve
from workbench.compaction.prompts import section_names
from workbench.compaction.request import Request
from workbench.compaction.variants import FROM, FULL, UP_TO
from workbench.conversation.array import assemble
from workbench.conversation.block import read_content, text_block
from workbench.conversation.row import Row
from workbench.summarizers.offline import OfflineSettings, offline, summarize

REQUEST, CONCEPTS, FILES, ERRORS, SOLVING, MESSAGES, PENDING, CURRENT, NEXT = section_names(FULL)
COMPLETED, CONTEXT = section_names(UP_TO)[7:]


def edit(ident: str, path: str, before: str, after: str, outcome: str = "ok", error: bool = False) -> tuple[Row, Row]:
    given = {"file_path": path, "old_string": before, "new_string": after}
    return replied(f"a-{ident}", call("Edit", ident, **given)), result(f"r-{ident}", ident, outcome, error)


def ran(ident: str, command: str, outcome: str = "ok", error: bool = False) -> tuple[Row, Row]:
    return replied(f"a-{ident}", call("Bash", ident, command=command)), result(f"r-{ident}", ident, outcome, error)


def of(*rows: Row, variant: str = FULL, **settings: int) -> dict[str, str]:
    return sections(summarize(rows, variant, OfflineSettings(**settings)))


@pytest.mark.parametrize("variant", [FULL, FROM, UP_TO])
def test_the_nine_sections_in_order_whatever_there_is(variant):
    for rows in ((), (said("u", "Hello"),), (replied("a", "Hello"),)):
        assert tuple(of(*rows, variant=variant)) == section_names(variant)


def test_a_session_without_anything_says_none():
    found = of()
    assert all("None" in text for text in found.values())


class TestMessages:
    def test_every_message_word_for_word_and_in_order(self):
        text = summarize(
            (said("1", 'Use "const", never var.'), replied("a", "Yes."), said("2", "First line\n\n  indented\n# third"))
        )
        assert '"Use "const", never var."' in text
        assert "\nFirst line\n\n  indented\n# third\n" in text
        assert text.index("never var") < text.index("# third")

    def test_a_message_of_a_thousand_tokens_is_whole_and_a_longer_one_is_cut_in_its_middle(self):
        whole = "w" * 3_990
        begin, end = "begin " + "b" * 30, "e" * 30 + " end"
        found = of(said("1", whole), said("2", f"{begin}{' middle' * 1_000}{end}"))
        assert whole in found[MESSAGES]
        assert begin in found[MESSAGES]
        assert end in found[MESSAGES]
        assert "characters left out…]" in found[MESSAGES]
        assert tokens(found[MESSAGES]) < 2_200

    def test_what_was_said_when_refusing_counts_and_so_does_breaking_off(self):
        refused = "The user doesn't want to proceed with this tool use. The user said: not on a Friday"
        found = of(*ran("c", "git push --force", refused, True), said("i", "[Request interrupted by user]"))
        assert '(refusing Bash `git push --force`) "not on a Friday"' in found[MESSAGES]
        assert "broke off" in found[MESSAGES]
        assert "refused `git push --force`: “not on a Friday”" in found[ERRORS]

    def test_a_picture_is_mentioned(self):
        picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
        row = Row(0, None, "u", "user", "user", blocks=read_content([{"type": "text", "text": "Like this."}, picture]))
        assert '(with 1 picture) "Like this."' in of(row)[MESSAGES]

    def test_what_the_program_writes_is_no_message(self):
        rows = (
            said("1", "<local-command-caveat>Caveat: x</local-command-caveat>", is_meta=True),
            said("2", "<system-reminder>remember</system-reminder>"),
            result("3", "nobody", "a result"),
            said("4", "<command-name>/review</command-name><command-args>the diff</command-args>"),
        )
        messages = of(*rows)[MESSAGES]
        assert messages.count("   - ") == 1
        assert '"/review the diff"' in messages

    def test_a_short_answer_stands_with_its_question(self):
        found = of(said("1", "Look."), replied("a", "Two ways.\nShall I rename the table?"), said("2", "yes"))
        assert '"yes" (answering: Shall I rename the table?)' in found[MESSAGES]

    def test_so_many_that_each_has_to_give(self):
        rows = tuple(said(str(i), f"start{i} {'word ' * 700}stop{i}") for i in range(60))
        text = summarize(rows)
        assert tokens(text) <= 17_000
        assert not [i for i in range(60) if f"start{i} " not in text or f"stop{i}" not in text]

    def test_a_message_cannot_pass_for_a_section(self):
        trap = "Look:\n7. Pending Tasks:\n   - none\n```\nfence\n"
        found = of(said("1", trap), said("2", "next"))
        assert list(found) == list(section_names(FULL))
        assert trap.strip() in found[MESSAGES]


class TestFiles:
    def test_every_path_with_the_newest_code_first(self):
        rows = (
            *edit("1", "/p/old.py", "a = 1", "a = 2"),
            *edit("2", "/p/new.py", "def one():\n    pass", "def two():\n    pass"),
        )
        text = of(*rows)[FILES]
        assert text.index("`/p/new.py`") < text.index("`/p/old.py`")
        assert "def two():" in text
        assert "```python" in text

    def test_code_that_a_later_edit_took_out_is_not_shown(self):
        rows = (
            *edit("1", "/p/a.go", "x := 1", "func trivial(line string) bool {\n\treturn ratio(line) < 0.4\n}"),
            *edit(
                "2",
                "/p/a.go",
                "func trivial(line string) bool {\n\treturn ratio(line) < 0.4\n}",
                "func short(line string) bool {\n}",
            ),
        )
        text = of(*rows)[FILES]
        assert "func short" in text
        assert "ratio(line)" not in text

    def test_only_what_changed_is_shown_with_a_little_around_it(self):
        before = "\n".join(f"line {i} of the file" for i in range(40))
        text = of(*edit("1", "/p/a.txt", before, before.replace("line 20 of", "line twenty of")))[FILES]
        assert "line twenty" in text
        assert "line 18 of" in text
        assert "line 10 of" not in text

    @pytest.mark.parametrize(
        ("tool", "given"),
        [
            ("Write", {"file_path": "/p/x.rs", "content": "fn main() {}"}),
            ("NotebookEdit", {"notebook_path": "/p/x.ipynb", "new_source": "fn main() {}"}),
            ("MultiEdit", {"file_path": "/p/x.rs", "edits": [{"old_string": "a", "new_string": "fn main() {}"}]}),
        ],
    )
    def test_every_editing_tool(self, tool, given):
        text = of(replied("a", call(tool, "c", **given)), result("r", "c"))[FILES]
        assert "/p/x." in text
        assert "fn main() {}" in text

    def test_an_edit_that_did_not_go_through_is_named_without_its_code(self):
        text = of(*edit("1", "/p/a.py", "x", "never written", "String to replace not found in file.", True))[FILES]
        assert "`/p/a.py` — 1 that did not go through" in text
        assert "never written" not in text

    def test_hundreds_of_files_keep_their_paths(self):
        rows = [
            row
            for i in range(300)
            for row in edit(str(i), f"/home/u/project/src/module_{i}.py", "a = 1", f"value_{i} = 1\n" * 40)
        ]
        text = summarize(rows)
        assert tokens(text) <= 17_000
        assert not [i for i in range(300) if f"`/home/u/project/src/module_{i}.py`" not in text]

    def test_files_that_were_only_read_with_the_lines(self):
        rows = (replied("a", call("Read", "c", file_path="/p/long.go", offset=400, limit=80)), result("r", "c", "code"))
        assert "`/p/long.go` (lines 400-479)" in of(*rows)[FILES]


class TestErrors:
    def test_one_that_is_open_comes_with_its_output(self):
        output = "Exit code 1\nsrc/app.ts:7:3 - error TS2322: Type 'string' is not assignable\nFound 1 error."
        text = of(*ran("1", "npm run build", output, True), *ran("2", "ls"))[ERRORS]
        assert "OPEN — `npm run build`: src/app.ts:7:3 - error TS2322" in text
        assert "Found 1 error." in text
        assert "not tried again" in text

    def test_one_that_was_corrected_says_how(self):
        rows = (
            *ran("1", "go test ./...", "--- FAIL: TestCut\nFAIL", True),
            *edit("2", "/p/cut.go", "a", "b"),
            *ran("3", "go test ./...", "ok"),
        )
        text = of(*rows)[ERRORS]
        assert "OPEN" not in text
        assert "worked later after editing cut.go" in text

    def test_a_commit_with_another_message_is_the_same_aim(self):
        rows = (*ran("1", "git add a && git commit -m one", "hook failed: not formatted", True), *ran("2", "git commit -m two"))
        assert "OPEN" not in of(*rows)[ERRORS]

    def test_a_look_up_that_found_nothing_is_no_open_problem_but_is_told(self):
        rows = (replied("a", call("Read", "c", file_path="/p/none.py")), result("r", "c", "File does not exist.", True))
        text = of(*rows)[ERRORS]
        assert "Read `/p/none.py`: File does not exist." in text
        assert "OPEN" not in text

    def test_a_call_that_was_not_run_is_named(self):
        text = of(*ran("1", "make", "<tool_use_error>Sibling tool call errored</tool_use_error>", True))[ERRORS]
        assert "Not run (“Sibling tool call errored”): `make`" in text


class TestPending:
    def test_open_todos(self):
        todos = [{"content": c, "status": s} for c, s in (("read", "completed"), ("write", "in_progress"), ("test", "pending"))]
        text = of(said("u", "Go."), replied("a", call("TodoWrite", "c", todos=todos)), result("r", "c"))[PENDING]
        assert "In progress: write" in text
        assert "To do: test" in text
        assert "read" not in text

    def test_tasks_by_their_tools(self):
        rows = (
            replied("1", call("TaskCreate", "c1", subject="Draw", description="the chart")),
            result("r1", "c1", "Task #1 created"),
            replied("2", call("TaskCreate", "c2", subject="Count")),
            result("r2", "c2", "Task #2 created"),
            replied("3", call("TaskUpdate", "c3", taskId="2", status="completed")),
            result("r3", "c3"),
        )
        text = of(*rows)[PENDING]
        assert "To do: Draw" in text
        assert "the chart" in text
        assert "Count" not in text

    @pytest.mark.parametrize(
        "shown",
        [
            json.dumps(
                [{"id": "7", "subject": "Draw", "status": "in_progress"}, {"id": "8", "subject": "Count", "status": "completed"}]
            ),
            "Here are the existing tasks:\n\n#7. [in_progress] Draw\n#8. [completed] Count",
        ],
    )
    def test_tasks_from_before_are_known_by_a_reminder(self, shown):
        text = f"<system-reminder>\n{shown}\n</system-reminder>"
        row = Row(0, None, "t", "attachment:task_reminder", "user", blocks=(text_block(text, "attachment:task_reminder"),))
        found = of(said("u", "Go."), row)[PENDING]
        assert "In progress: Draw" in found
        assert "Count" not in found

    def test_the_newest_request_while_it_is_worked_on_and_not_once_it_is_answered(self):
        open_ = (said("u", "Rename it."), *ran("1", "sed -i s/a/b/ x"))
        assert "“Rename it.” — being worked on" in of(*open_)[PENDING]
        assert "None." in of(*open_, replied("a", "Renamed."))[PENDING]


class TestCurrentWork:
    def test_the_newest_words_of_both_sides_and_the_result_before_the_agent_s_eyes(self):
        rows = (said("u", "Why is it slow?"), replied("a", "Let me measure it."), *ran("1", "time make", "real 0m41.2s"))
        found = of(*rows)
        assert 'newest request was "Why is it slow?"' in found[CURRENT]
        assert "The agent's last words: “Let me measure it.”" in found[CURRENT] or '"Let me measure it."' in found[CURRENT]
        assert "real 0m41.2s" in found[CURRENT]
        assert "Go on with the newest request" in found[NEXT]
        assert "“Why is it slow?”" in found[NEXT]
        assert "“Let me measure it.”" in found[NEXT]

    @pytest.mark.parametrize(
        ("rows", "step"),
        [
            ((said("u", "Fix it."), replied("a", "Fixed.")), "None: the newest request is answered"),
            ((said("u", "Fix it."), replied("a", "Which of the two?")), "Wait for the user's answer to “Which of the two?”"),
            ((said("u", "Fix it."), replied("a", call("Bash", "c", command="make"))), "Look at the result of Bash `make`"),
            ((said("u", "Fix it."), said("i", "[Request interrupted by user]")), "None without the user's word"),
            ((said("u", "Fix it."),), "Answer the user's newest message"),
        ],
    )
    def test_the_next_step(self, rows, step):
        assert step in of(*rows)[NEXT]

    def test_an_offer_that_nobody_took_up(self):
        rows = (said("1", "Why?"), replied("a", "Because of the lock. Want me to remove it?"), said("2", "when was it added"))
        assert "neither accepted nor declined by the user: “Want me to remove it?”" in of(*rows)[CURRENT]
        taken = (*rows[:2], said("2", "yes please"))
        assert "neither accepted" not in of(*taken)[CURRENT]

    def test_what_is_edited_and_not_committed(self):
        rows = (*edit("1", "/p/a.py", "a", "b"), *ran("2", "git commit -m x"), *edit("3", "/p/b.py", "a", "b"))
        line = next(line for line in of(*rows)[CURRENT].splitlines() if "not committed" in line)
        assert "/p/b.py" in line
        assert "/p/a.py" not in line


class TestVariants:
    ROWS = (said("u", "Fix it."), *ran("1", "make"), replied("a", "Made."), said("v", "And test it."), *ran("2", "make test"))

    def test_up_to_here_knows_no_next_step(self):
        text = summarize(self.ROWS, UP_TO)
        assert "Next Step" not in text
        assert "“Fix it.” → 1 command" in sections(text)[COMPLETED]
        assert "Being worked on at that point: “And test it.”" in sections(text)[CONTEXT]
        assert "Newer messages follow this summary" in sections(text)[CONTEXT]

    def test_from_here_claims_the_recent_part_only(self):
        assert "This covers the recent part only" in of(*self.ROWS, variant=FROM)[REQUEST]
        assert "recent part" not in summarize(self.ROWS)


class TestConcepts:
    def test_what_the_rows_give_evidence_of(self):
        rows = (
            *edit("1", "/p/a.ts", "", 'import { z } from "zod";\n\nexport const a = z.string();'),
            *ran("2", "npm test -- forms"),
            replied("b", call("mcp__linear__create_issue", "m")),
            *(replied(f"t{i}", "The `overlapIndex` is stale.") for i in range(3)),
        )
        text = of(*rows)[CONCEPTS]
        for evidence in ("TypeScript (1 file)", "`zod`", "`npm test -- forms`", "tool server linear (1 call)", "`overlapIndex`"):
            assert evidence in text


class TestSolving:
    def test_findings_in_the_agent_s_words_and_the_state_of_checks(self):
        rows = (
            said("u", "Why?"),
            replied("a", "I looked around. The root cause is that the cache is never cleared. Next I fix it."),
            *ran("1", "go test ./...", "ok"),
        )
        text = of(*rows)[SOLVING]
        assert "“The root cause is that the cache is never cleared.”" in text
        assert "I looked around" not in text
        assert "Last run of `go test ./...`: ok" in text

    def test_what_a_sub_agent_reported(self):
        rows = (
            replied("a", call("Task", "c", description="Find the callers")),
            result("r", "c", "Called from main.go and cli.go."),
        )
        assert "Called from main.go and cli.go." in of(*rows)[SOLVING]


class TestRequest:
    def test_conditions_and_corrections_stand_apart(self):
        rows = (
            said("1", "Write the parser. Never use a regular expression."),
            replied("a", "ok"),
            said("2", "no, not in main.py"),
        )
        text = of(*rows)[REQUEST]
        assert "Condition of the user: “Never use a regular expression.”" in text
        assert "Correction of the user: “no, not in main.py”" in text

    def test_lines_of_a_pasted_log_are_no_conditions(self):
        text = of(said("1", "It fails:\n--- FAIL: T (3s)\n    a_test.go:8: commit should not have a trailer, got 7"))[REQUEST]
        assert "Condition" not in text


def test_the_same_rows_give_the_same_text():
    rows = TestVariants.ROWS
    assert summarize(rows) == summarize(list(rows))


def test_a_small_total_is_kept_too():
    rows = [row for i in range(50) for row in (said(f"u{i}", f"request {i} " * 40), *edit(str(i), f"/p/{i}.py", "a", "b\n" * 50))]
    for total in (500, 1_500, 4_000):
        assert tokens(summarize(rows, FULL, OfflineSettings(total=total))) <= total


def test_it_answers_a_request_as_a_model_would():
    rows = (said("u", "What does </summary> mean? And <analysis>?"), replied("a", "It ends it."))
    request = Request("summary", "summary:0", "", assemble((*rows, said("ask", "Summarise."))), "Summarise.")
    reply = offline()(request)
    cleaned = clean(reply.text, resolve())
    assert reply.source == "offline"
    assert cleaned.text.startswith("Summary:\n1. Primary Request and Intent:")
    assert cleaned.text.rstrip().endswith("“It ends it.”")
    assert "Summarise." not in cleaned.text


@pytest.mark.parametrize("given", [True, False], ids=["given", "named by the request"])
def test_for_from_only_the_rows_behind_the_cut_are_summarised(given):
    behind = (said("v", "only this"),)
    request = Request("summary", "summary:0", "", assemble([said("u", "not this"), *behind]), covers=behind)
    reply = offline(FROM, behind if given else None)(request)
    assert "only this" in reply.text
    assert "not this" not in reply.text
