"""Old results are cleared without a word at 135,000 tokens; later an automatic compaction at the threshold of that time, 155,000."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from collections.abc import Iterator

from ..filler import Dice, python_source, sized
from ..session import Files, Part, Session
from ..tools import Think, bash, edit, failed, grep, read, todos

HOME = "/home/priya/potluck"

SUMMARY = """Analysis:
Priya asked why potluck reads "1 1/2 cups" as 1 cup and wants every recipe of the old site imported without losing an amount. I found the pattern, fixed mixed fractions, then went through the exports folder by folder. She corrected me once about ranges. Work stopped among the exports of the fourth folder.

Summary:
1. Primary Request and Intent:
   Import all recipes of the old site with potluck, without a lost or changed amount. Mixed fractions first, then whatever else the exports hold.

2. Key Technical Concepts:
   - Amounts as `fractions.Fraction`, never float
   - Unicode fractions (½ ⅓ ¼) normalised with NFKC, which yields the fraction slash U+2044

3. Files and Code Sections:
   - `potluck/amounts.py`: `parse_amount(text) -> Amount`; the pattern now takes a whole number before the fraction
     ```python
     AMOUNT = re.compile(r"(?:(?P<whole>\\d+)\\s+)?(?P<num>\\d+)[/⁄](?P<den>\\d+)|(?P<plain>\\d+(?:[.,]\\d+)?)")
     ```
   - `tests/test_amounts.py`: 31 cases taken from the exports

4. Errors and fixes:
   - "1 1/2 cups" was read as 1: the alternative with the plain number came first. Order changed.
   - "2-3 eggs" became 2. Priya: "A range keeps both ends, the cook decides." `Amount` has `low` and `high` now.

5. Problem Solving:
   Folders 1 to 3 of the exports import without a difference.

6. All user messages:
   - "potluck turns 1 1/2 cups into 1 cup. Find out why, and then import the whole old site without losing an amount."
   - "A range keeps both ends, the cook decides."
   - "Carry on with the folders. Don't touch the originals."

7. Pending Tasks:
   - Folders 4 to 6
   - A report of the lines that no pattern reads

8. Current Work:
   Reading the exports of folder 4 and the parser parts that deal with them.

9. Optional Next Step:
   Import folder 4 and list what no pattern reads. ("Carry on with the folders. Don't touch the originals.")"""


def recipes(name: str, size: int) -> str:
    """Lines of exported recipes."""
    return sized(_recipes(Dice(name)), size)


def _recipes(dice: Dice) -> Iterator[str]:
    foods = (
        "flour",
        "butter",
        "brown sugar",
        "cardamom",
        "red lentils",
        "coconut milk",
        "sour cherries",
        "rye starter",
        "eggs",
        "black beans",
    )
    units = ("cups", "tbsp", "tsp", "g", "ml", "cloves")
    while True:
        yield f"## {dice.pick(foods).title()} with {dice.pick(foods)}, serves {dice.number(2, 12)}"
        for _ in range(dice.number(4, 9)):
            amount = dice.pick(("1 1/2", "½", "2-3", "¾", str(dice.number(1, 900)), f"{dice.number(1, 9)},5"))
            yield f"- {amount} {dice.pick(units)} {dice.pick(foods)}"
        yield f"Bake at {dice.number(150, 240)} °C for {dice.number(12, 75)} minutes, then rest {dice.number(5, 40)} minutes."
        yield ""


def folders() -> Iterator[tuple[Part, ...]]:
    """Export after export, with the parser part that reads it and a run of the importer."""
    for turn in range(80):
        folder = 1 + turn // 14
        yield (bash(f"sed -n 1,400p exports/{folder}/part{turn:02}.txt", recipes(f"04 {turn}", 8_600 + 700 * (turn % 4))),)
        if turn % 3 == 0:
            yield (
                "The part of the parser that reads these lines:",
                read(f"{HOME}/potluck/reader_{turn}.py", python_source(f"04 {turn}", 4_800)),
            )
        if turn % 5 == 4:
            yield (
                Think("Amounts agree so far. One dry run for this folder."),
                bash(
                    f"python -m potluck import exports/{folder} --dry-run",
                    f"{400 + turn * 7} lines read, {400 + turn * 7} understood, 0 amounts changed",
                ),
            )


def build() -> Files:
    """A microcompaction at 135,000, then a full compaction at 155,000."""
    s = Session(
        "04-microcompaction",
        version="2.1.17",
        cwd=HOME,
        model="claude-opus-4-5-20251101",
        overhead=47_600,
        start="2026-01-22T16:20:00Z",
        branch="amounts",
        slug="gentle-stirring-spoon",
    )
    s.hook("SessionStart", "SessionStart:startup", "python tools/hooks/start.py")
    s.snapshot()
    s.prompt("potluck turns 1 1/2 cups into 1 cup. Find out why, and then import the whole old site without losing an amount.")
    s.step(Think("Look at the pattern for amounts."), grep("re.compile", "potluck/amounts.py:12:AMOUNT = re.compile("))
    s.step(read(f"{HOME}/potluck/amounts.py", python_source("04 amounts", 5_000)))
    s.step(todos("[>] mixed fractions", "[ ] ranges", "[ ] import folder by folder", "[ ] report of unread lines"))
    s.step(
        failed(
            "pytest tests/test_amounts.py -q",
            "FAILED tests/test_amounts.py::test_mixed - assert Fraction(1, 1) == Fraction(3, 2)\n1 failed, 19 passed in 0.21s",
        )
    )
    s.step(
        "The plain number matches first and stops at the 1.",
        edit(
            f"{HOME}/potluck/amounts.py",
            "(?P<plain>\\d+)|(?P<num>\\d+)/(?P<den>\\d+)",
            "(?:(?P<whole>\\d+)\\s+)?(?P<num>\\d+)[/⁄](?P<den>\\d+)|(?P<plain>\\d+(?:[.,]\\d+)?)",
        ),
    )
    s.step(bash("pytest tests/test_amounts.py -q", "20 passed in 0.19s"))
    s.step("Mixed fractions are read now. `2-3 eggs` gives 2, since a range has no place to go.")
    s.turn_end()
    s.snapshot()
    s.prompt("A range keeps both ends, the cook decides.")
    s.step(edit(f"{HOME}/potluck/amounts.py", "value: Fraction", "low: Fraction\n    high: Fraction"))
    s.step(bash("pytest -q", "31 passed in 0.44s"))
    s.step("`Amount` has `low` and `high`; for a single number they are equal.")
    s.turn_end()
    s.snapshot()
    s.prompt("Carry on with the folders. Don't touch the originals.")
    work = folders()
    s.work_until(135_000, work)
    s.micro_compact(keep=22)
    s.work_until(155_000, work)
    s.auto_compact(SUMMARY)
    s.step(
        "Folder 4 next.",
        bash(
            "python -m potluck import exports/4",
            "612 lines read, 611 understood, 0 amounts changed\nnot understood: 'a knob of butter' (exports/4/part47.txt:212)",
        ),
    )
    s.step('Folder 4 is in. One line has no amount: "a knob of butter".')
    s.turn_end()
    return {"04-microcompaction.jsonl": s.file()}
