"""What the offline extractor writes: the user's words, what was done and how it went, within the budgets."""

from collections.abc import Sequence

import pytest

from workbench.conversation.row import Row
from workbench.memory.notes import Notes, render
from workbench.memory.offline import offline_notes
from workbench.memory.template import SECTIONS

from ..making import SUMMARY, call, replied, result, said

AT = "2026-03-01T09:30:00.000Z"


def notes_of(*rows: Row) -> Notes:
    return offline_notes(rows)


def section(title: str, *rows: Row) -> str:
    found = notes_of(*rows).find(title)
    assert found is not None
    return found.text


def did(number: int, name: str, output: str = "ok", error: bool = False, text: str = "", **given: object) -> Sequence[Row]:
    """A call with its result, after a text of the agent if one is given."""
    before = (text,) if text else ()
    return replied(f"a{number}", *before, call(name, f"t{number}", **given)), result(f"u{number}", f"t{number}", output, error)


def test_ten_sections_and_the_same_text_every_time() -> None:
    rows = (said("a", "Add a parser for dates, please"), *did(1, "Bash", command="make test"), replied("z", "Done."))
    assert notes_of(*rows).titles == SECTIONS
    assert render(notes_of(*rows)) == render(notes_of(*rows))


def test_nothing_said_gives_an_empty_template_that_says_so() -> None:
    notes = notes_of()
    assert {s.title: s.text for s in notes.sections if s.text} == {"Current State": "- Nothing was said or done yet."}


# Session Title


@pytest.mark.parametrize(
    ("requests", "title"),
    [
        (["can you please add a date parser to the importer?"], "Add a date parser to the importer"),
        (
            ["in /home/u/app/tool is a parser, can you compare its error handling with the one we have?"],
            "Compare its error handling with the one we have",
        ),
        (
            ["Implement the following plan:\n\n# Plan: Store the version in every file header\n\nfirst"],
            "Store the version in every file header",
        ),
        (
            ["brainstorm:\n- generate summaries at every checkpoint\n- off by default"],
            "Brainstorm: generate summaries at every checkpoint",
        ),
        (["continue", "Rename the module and fix all of its imports"], "Rename the module and fix all of its imports"),
        (["fix lint", "Update `README.md` as well"], "Update README.md as well in a session without tools"),
        (["look at https://example.com/team/app/pull/7 and answer the reviewer"], "Look at pull/7 and answer the reviewer"),
        (["one two three four five six seven eight nine ten eleven"], "One two three four five six seven eight nine ten"),
        (["review all the tests in e2e_test and then the rest of the"], "Review all the tests in e2e_test and then the rest"),
    ],
)
def test_the_title_comes_from_the_first_request_that_says_something(requests: list[str], title: str) -> None:
    assert section("Session Title", *(said(f"r{i}", text) for i, text in enumerate(requests))) == title


# Task specification


def test_requests_stand_in_the_users_words() -> None:
    text = section("Task specification", said("a", "Add a parser.\n\n  It reads ISO dates."), said("b", "/review src/dates.py"))
    assert text == "- Add a parser.\n      It reads ISO dates.\n- /review src/dates.py"


def test_a_short_answer_is_shown_with_its_question_and_the_option_it_picks() -> None:
    rows = (
        said("a", "Store settings somewhere"),
        replied("b", "Two ways:\n\n- **A.** a file in the project\n- **B.** a table in the database\n\nWhich one do you want?"),
        said("c", "B."),
        replied("d", "Shall I write a migration?"),
        said("e", "yes"),
    )
    assert section("Task specification", *rows).split("\n")[1:] == [
        "- B. (answering: Which one do you want? — B. a table in the database)",
        "- yes (answering: Shall I write a migration?)",
    ]


def test_what_the_program_writes_into_user_rows_is_no_request() -> None:
    rows = (
        said("a", "Add a parser <system-reminder>be careful</system-reminder>"),
        said("b", "<local-command-caveat>Caveat: ...</local-command-caveat>", is_meta=True),
        said("c", "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"),
        said("d", "<local-command-stdout>Bye!</local-command-stdout>"),
        said("e", "Base directory for this skill: ...", is_meta=True),
        said("f", "<command-name>/deploy</command-name><command-args>staging</command-args>"),
        said("g", "<task-notification>\n<task-id>7</task-id></task-notification>"),
    )
    assert section("Task specification", *rows) == "- Add a parser\n- /deploy staging"


def test_a_request_that_was_broken_off_and_asked_again_counts_once() -> None:
    rows = (
        said("a", "Start with something"),
        said("b", "can you remove the tests again"),
        said("c", "[Request interrupted by user]"),
        said("d", "can you remove the slow tests again"),
    )
    assert section("Task specification", *rows) == "- Start with something\n- can you remove the slow tests again"


def test_answers_to_the_question_tool_and_approved_plans_are_decisions() -> None:
    rows = (
        said("a", "Plan the sharing feature"),
        *did(
            1,
            "AskUserQuestion",
            'User has answered your questions: "Who may share?"="Owners", "May they re-share?"="no, never". You can now go on.',
            questions=[{"question": "Who may share?"}, {"question": "May they re-share?"}, {"question": "Unasked?"}],
        ),
        *did(2, "ExitPlanMode", "User has approved your plan.", plan="# Plan: Sharing\n\n## Keys\ntext\n## Screens\n"),
        *did(3, "ExitPlanMode", "The user doesn't want to proceed with this tool use.", True, plan="# Plan: Other"),
    )
    assert section("Task specification", *rows).split("\n")[1:] == [
        "- Decided: Who may share? → Owners",
        "- Decided: May they re-share? → no, never",
        "- Plan approved by the user: Plan: Sharing (Keys; Screens)",
    ]


# Files and Functions


def test_files_are_counted_edited_ones_first() -> None:
    rows = (
        said("a", "Add a parser"),
        *did(1, "Read", file_path="/p/old.py"),
        *did(2, "Read", file_path="/p/dates.py"),
        *did(
            3,
            "Edit",
            file_path="/p/dates.py",
            old_string="import re\n",
            new_string="import re\n# a note\ndef parse(text):\n    pass\n",
        ),
        *did(4, "Write", file_path="/p/new.py", content="class Zone:\n    pass\n"),
        *did(5, "Edit", "String to replace not found", True, file_path="/p/failed.py", old_string="x", new_string="y"),
        *did(6, "Edit", file_path="/p/new.py", old_string="    pass\n    # bye\n", new_string="    pass\n"),
    )
    assert section("Files and Functions", *rows).split("\n") == [
        "- `/p/new.py` — 1 write, 1 edit; touched: Zone; newest edit: removed `# bye`",
        "- `/p/dates.py` — 1 edit, 1 read; touched: parse; newest edit: `def parse(text):`",
        "- `/p/old.py` — 1 read",
    ]


# Workflow


def test_commands_stand_in_their_order_with_their_outcome() -> None:
    rows = (
        said("a", "Make it pass"),
        *did(1, "Bash", command="cd /p && make test 2>&1 | tail -5", output="dates.py:3:1: error: oops", error=True),
        *did(2, "Bash", command="make lint", output="--- FAIL: style\n2 failures"),
        *did(3, "Bash", command="make test"),
        *did(
            4,
            "Bash",
            command="git commit -m \"$(cat <<'EOF'\nfix: parse zones\n\nbody\nEOF\n)\"",
            output="[main 1a2b3c4] fix: parse zones",
        ),
        said("b", "<bash-input>git pull</bash-input>"),
        said("c", "<bash-stdout>Already up to date.</bash-stdout><bash-stderr></bash-stderr>"),
        *did(5, "Bash", command="git push", output="The user doesn't want to proceed with this tool use.", error=True),
        replied("z", call("Bash", "t9", command="make install")),
    )
    assert section("Workflow", *rows).split("\n") == [
        "- `make test` ×2 — ok, after 1 failure (dates.py:3:1: error: oops)",
        "- `make lint` — fails: --- FAIL: style",
        '- `git commit -m "fix: parse zones …"` — ok',
        "- `git pull` (typed by the user) — ok",
        "- `git push` — refused by the user",
        "- `make install` — no result yet",
    ]


# Errors & Corrections


def test_an_error_stands_with_what_followed() -> None:
    rows = (
        said("a", "Make it pass"),
        *did(1, "Bash", command="make test", output="Exit code 2\n$ make\ndates.py:3:1: error: oops", error=True),
        *did(2, "Edit", file_path="/p/dates.py", old_string="a", new_string="b"),
        *did(3, "Bash", command="make test"),
        *did(4, "Bash", command="git push", output="Exit code 128\nfatal: no upstream branch", error=True),
        *did(5, "Bash", command="git push --set-upstream origin main"),
        *did(6, "Read", file_path="/p/gone.py", output="<tool_use_error>File does not exist.</tool_use_error>", error=True),
        *did(7, "Glob", pattern="**/gone*"),
        *did(8, "Bash", command="make docs", output="Sibling tool call errored", error=True),
    )
    assert section("Errors & Corrections", *rows).split("\n") == [
        "- `make test`: dates.py:3:1: error: oops → worked after editing dates.py",
        "- `git push`: fatal: no upstream branch → worked as `git push --set-upstream origin main`",
        "- Read `/p/gone.py`: File does not exist. → went on with Glob `**/gone*`",
    ]


def test_what_the_user_corrected_refused_and_laid_down_comes_first() -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. "
        "To tell you how to proceed, the user said:\nuse the existing helper"
    )
    rows = (
        said("a", "Add a parser. Never use var. Is it never slow?"),
        *did(1, "Bash", command="make test", output="error: oops", error=True),
        *did(2, "Write", refused, True, file_path="/p/dates.py", content="x"),
        said("b", "no, put it into zones.py"),
    )
    assert section("Errors & Corrections", *rows).split("\n")[:3] == [
        "- Rule of the user: “Never use var.”",
        "- The user refused Write `/p/dates.py`: “use the existing helper”",
        "- Correction of the user: “no, put it into zones.py”",
    ]


# Learnings, Codebase


def test_learnings_need_evidence() -> None:
    assert section("Learnings", said("a", "Say hello to everybody"), *did(1, "Bash", command="make test")) == ""


def test_learnings_tell_what_worked_what_was_refused_and_undone() -> None:
    rows = (
        said("a", "Publish it"),
        *did(1, "Bash", command="gh api x/1 --jq '.[]'", output="failed to parse jq expression", error=True),
        *did(2, "Bash", command="gh api x/1 --jq '.body'"),
        *did(3, "Bash", command="rm -rf build", output="The user doesn't want to proceed with this tool use.", error=True),
        *did(4, "Bash", command="git reset --hard HEAD~1"),
    )
    assert section("Learnings", *rows).split("\n") == [
        "- `gh api x/1 --jq '.body'` worked where `gh api x/1 --jq '.[]'` failed (failed to parse jq expression)",
        "- Not without asking: `rm -rf build` was refused by the user.",
        "- Undone: `git reset --hard HEAD~1`.",
    ]


def test_the_codebase_is_shown_by_folders_documents_reports_and_searches() -> None:
    rows = (
        said("a", "Look around"),
        *did(1, "Read", file_path="/p/src/a.py"),
        *did(2, "Edit", file_path="/p/src/b.py", old_string="x", new_string="y"),
        *did(3, "Read", file_path="/p/README.md"),
        *did(4, "Grep", pattern="def parse"),
        *did(5, "Task", "Good, here it is.\n\n# Report\n\nDates are parsed twice.", description="Find parsers", prompt="..."),
        *did(6, "mcp__tracker__create", title="x"),
    )
    assert section("Codebase and System Documentation", *rows).split("\n") == [
        "- Root: `/p`",
        "- `src/` — edited b.py; read a.py",
        "- `./` — read README.md",
        "- Documents: `/p/README.md`",
        "- Sub-agent “Find parsers”: Dates are parsed twice.",
        "- Looked for: `def parse`",
        "- Tool servers used: tracker (1 call)",
    ]


# Key results, Worklog, Current State


def test_results_are_commits_links_checks_and_answers() -> None:
    rows = (
        said("a", "Make it ready"),
        *did(1, "Bash", command="make test"),
        *did(2, "Bash", command="git commit -m x", output="[main 1a2b3c4] fix: parse zones\n 1 file changed"),
        *did(3, "Bash", command="gh pr create --title x", output="https://example.com/u/p/pull/7"),
        said("b", "which zones are known?"),
        *did(4, "Grep", pattern="zone", text="Let me look that up for you in the sources."),
        replied("z", "Two:\n\n| zone | offset |\n|---|---|\n| UTC | 0 |\n```\n# not a heading\n_at all_\n```"),
    )
    assert section("Key results", *rows) == (
        "- Commit 1a2b3c4 on main: fix: parse zones\n"
        "- Pull request: https://example.com/u/p/pull/7\n"
        "- Last run of `make test`: ok\n"
        "- Asked: which zones are known?\n"
        "    Two:\n    | zone | offset |\n    |---|---|\n    | UTC | 0 |\n    ```\n    # not a heading\n    _at all_\n    ```"
    )


def test_an_announcement_is_no_answer() -> None:
    rows = (
        said("a", "hello there"),
        said("b", "which zones are known?"),
        *did(1, "Grep", pattern="zone", text="Let me look that up now."),
    )
    assert section("Key results", *rows) == ""


def test_the_worklog_is_terse_and_splits_long_turns() -> None:
    rows = (
        said("a", "Add a parser", timestamp=AT),
        *did(1, "Read", file_path="/p/a.py", text="First I read the sources:"),
        *did(2, "Grep", pattern="x"),
        *did(3, "Read", file_path="/p/b.py"),
        *did(4, "Edit", file_path="/p/a.py", old_string="x", new_string="y", text="Now the edit."),
        *did(5, "Bash", command="make test", output="error: oops", error=True),
        *did(6, "TodoWrite", todos=[]),
        said("b", "stop here", timestamp="2026-03-01T09:45:00.000Z"),
        said("c", "[Request interrupted by user]"),
    )
    assert section("Worklog", *rows).split("\n") == [
        "- 2026-03-01 09:30 Add a parser → edited a.py, 1 command (1 failed), 2 reads, 1 search, 1 TodoWrite",
        "  - First I read the sources → 2 reads, 1 search",
        "  - Now the edit. → edited a.py, 1 command (1 failed), 1 TodoWrite",
        "- 09:45 stop here → answered, broken off by the user",
    ]


def test_the_current_state_names_request_last_action_todos_and_next_step() -> None:
    todos = [
        {"content": "Write it", "status": "in_progress"},
        {"content": "Test it", "status": "pending"},
        {"content": "Plan", "status": "completed"},
    ]
    rows = (
        said("a", "Add a parser", timestamp=AT),
        *did(1, "TodoWrite", todos=todos),
        *did(2, "Edit", file_path="/p/a.py", old_string="x", new_string="y", text="I begin with the lexer."),
    )
    assert section("Current State", *rows).split("\n") == [
        "- Last request (2026-03-01 09:30): “Add a parser”",
        "- Done for it: edited a.py, 1 TodoWrite",
        "- Last action: Edit `/p/a.py` — ok",
        "- Last words of the agent: “I begin with the lexer.”",
        "- In progress: Write it",
        "- To do: Test it",
        "- Edited since the last commit: `/p/a.py`",
        "- Next: go on with “Write it”.",
    ]


@pytest.mark.parametrize(
    ("last", "following"),
    [
        (replied("z", call("Bash", "t9", command="make test")), "the result of Bash `make test`."),
        (replied("z", "All done. Shall I commit it?"), "the user's answer to “All done. Shall I commit it?”"),
        (replied("z", "All done."), "the last request is answered; the user speaks next."),
        (said("z", "[Request interrupted by user for tool use]"), "wait for what the user wants instead."),
    ],
)
def test_the_next_step_follows_from_how_it_stopped(last: Row, following: str) -> None:
    text = section("Current State", said("a", "Add a parser"), *did(1, "Bash", command="make"), last)
    assert f"- Next: {following}" in text.split("\n")


def test_todos_that_two_requests_left_alone_are_marked_and_are_not_next() -> None:
    rows = (
        said("a", "Add a parser"),
        *did(1, "TaskCreate", "Task #1 created successfully: Write it", subject="Write it"),
        *did(2, "TaskUpdate", "Updated task #1 status", taskId="1", status="in_progress"),
        said("b", "now the readme"),
        said("c", "and a changelog"),
        *did(3, "Bash", command="make"),
    )
    lines = section("Current State", *rows).split("\n")
    assert "- In progress: Write it (not touched by the newest requests)" in lines
    assert "- Next: go on with the last request." in lines


# an earlier summary, side chains


def test_rows_that_open_with_a_summary_take_from_it_what_they_do_not_show() -> None:
    summary = said(
        "s",
        "Before.\n\nSummary:\n1. Primary Request and Intent:\n   Move the parser into its own module.\n\n"
        '2. **Key Technical Concepts**:\n   - Zones\n\n6. All user messages:\n   - "never use var"\n\n'
        "7. Pending Tasks:\n   - Write the docs\n\n8. Current Work:\n   Editing.\n",
        is_summary=True,
    )
    notes = notes_of(summary, *did(1, "Bash", command="make"))
    assert {s.title: s.text.split("\n") for s in notes.sections if "(earlier summary" in s.text} == {
        "Current State": [
            "- Last action: Bash `make` — ok",
            "- Next: go on with the last action.",
            "- (earlier summary, still to do then) Write the docs",
        ],
        "Task specification": ["- (earlier summary) Move the parser into its own module.", '- (earlier summary) "never use var"'],
        "Codebase and System Documentation": ["- (earlier summary) Zones"],
    }
    title = notes.find("Session Title")
    assert title is not None
    assert title.text == "Move the parser into its own module"


def test_side_chains_are_left_out_unless_the_rows_begin_with_one() -> None:
    side = said("b", "Explore the sources", is_sidechain=True)
    assert section("Task specification", said("a", "Add a parser"), side) == "- Add a parser"
    assert section("Task specification", side) == "- Explore the sources"


def test_a_summary_alone_is_no_request() -> None:
    assert section("Task specification", SUMMARY, said("a", "Go on with it")) == "- Go on with it"
