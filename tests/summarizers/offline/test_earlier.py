"""What an earlier summary says is carried on, whatever form it has, however often it happens."""

from dataclasses import replace

from tests.memory.making import SUMMARY, call, replied, result, said
from tests.summarizers.offline.reading import sections, tokens
from workbench.conversation.block import read_content
from workbench.conversation.row import Row
from workbench.memory.continuation import continuation
from workbench.summarizers.offline import summarize
from workbench.summarizers.offline.earlier import entries_of, read_earlier

TOLD = """\
Analysis:
1. Primary Request and Intent: this is not it

Summary:
1. Primary Request and Intent:
   - Rename the table `users`
   - Never touch the archive

2. Key Technical Concepts:
   - Migrations run backwards, too

3. Files and Code Sections:
   - **`db/migrate.py`** - the newest migration
     ```python
     2. Key Technical Concepts:
     def up(): ...
     ```
   - `db/again.py` - touched again later

4. Errors and fixes:
   - OPEN — the lock times out
   - No errors in the tests

5. Problem Solving:
   The lock is held by the cron job.

6. All user messages:
   - "rename users to people"
   - in several lines:
```text
first
   second
7. Pending Tasks:
```

7. Pending Tasks:
   - Run `make migrate`
   - Write to Ann

8. Current Work:
   Waiting for the lock.

9. Optional Next Step:
   Try again at night.
"""


def summary_row(text: str) -> Row:
    return replace(SUMMARY, blocks=read_content(continuation(text, "/home/u/s.jsonl", tail_follows=True, go_on=True)))


def test_its_sections_and_entries():
    earlier = read_earlier(TOLD)
    assert earlier.entries("Primary Request and Intent") == ["Rename the table `users`", "Never touch the archive"]
    assert earlier.entries("Problem Solving") == ["The lock is held by the cron job."]
    assert earlier.entries("All user messages") == [
        '"rename users to people"',
        "in several lines:\n```text\nfirst\n   second\n7. Pending Tasks:\n```",
    ]
    assert earlier.entries("Pending Tasks") == ["Run `make migrate`", "Write to Ann"]


def test_other_forms_of_headings():
    text = "## 1. Primary Request and Intent\n- A\n\n**2. Key Technical Concepts:**\n- B\n8. **Current Work**: writing C"
    earlier = read_earlier(text)
    assert [earlier.entries(n) for n in ("Primary Request and Intent", "Key Technical Concepts", "Current Work")] == [
        ["A"],
        ["B"],
        ["writing C"],
    ]


def test_notes_in_place_of_a_summary():
    earlier = read_earlier("# Task specification\n_what was asked_\n- Build it\n\n# Current State\n- half done")
    assert "Build it" in earlier.entries("Task specification")
    assert earlier.entries("Current State") == ["half done"]


def test_a_text_without_sections_stays_whole():
    assert read_earlier("All was done.").loose == "All was done."
    assert not read_earlier("")


def test_it_is_carried_on_section_by_section():
    rows = (
        summary_row(TOLD),
        said("u", "go on"),
        replied("a", call("Edit", "c", file_path="/p/db/again.py", old_string="a", new_string="b")),
        result("r", "c"),
        replied("b", call("Bash", "d", command="make migrate")),
        result("s", "d"),
    )
    found = sections(summarize(rows))
    assert "Earlier: Never touch the archive" in found["Primary Request and Intent"]
    assert "Earlier: Migrations run backwards, too" in found["Key Technical Concepts"]
    assert "Earlier: **`db/migrate.py`**" in found["Files and Code Sections"]
    assert "def up(): ..." in found["Files and Code Sections"]
    assert "Earlier: OPEN — the lock times out" in found["Errors and fixes"]
    assert "No errors in the tests" not in found["Errors and fixes"]
    assert "Earlier: The lock is held" in found["Problem Solving"]
    assert 'Earlier: "rename users to people"' in found["All user messages"]
    assert "\nfirst\n   second\n7. Pending Tasks:\n" in found["All user messages"]
    assert "Earlier: Write to Ann" in found["Pending Tasks"]
    assert "make migrate" not in found["Pending Tasks"]


def test_where_nothing_has_happened_since_its_state_is_the_state():
    found = sections(summarize((summary_row(TOLD),)))
    assert "Waiting for the lock." in found["Current Work"]
    assert "Try again at night." in found["Optional Next Step"]


def test_ten_compactions_later_the_first_words_are_still_there():
    text = summarize((said("u0", "No helper with callbacks, please.\nI debug this at sea."),))
    for number in range(1, 11):
        text = summarize((summary_row(text), said(f"u{number}", f"request {number}"), replied(f"a{number}", "done")))
    found = sections(text)
    assert "No helper with callbacks, please.\nI debug this at sea." in found["All user messages"]
    assert 'Earlier: "request 1"' in found["All user messages"] or ' "request 1"' in found["All user messages"]
    assert "Earlier: Earlier:" not in text
    assert tokens(text) < 4_000


def test_an_entry_within_a_fence_begins_no_new_one():
    assert entries_of("- one\n```\n- two\n\n- three\n```\n- four") == ["one\n```\n- two\n\n- three\n```", "four"]
