"""A manual compaction with instructions in today's format. The reply before it stays verbatim; every request is recorded."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..filler import listing, test_run, tsx_source
from ..newest import NewestSession
from ..session import Files
from ..tools import Think, bash, edit, failed, glob, grep, read

HOME = "/home/jun/harbor-booking"
RULES = "# harbor-booking\n- React 19, no state library.\n- Texts come from `src/texts`, in Japanese and English.\n- `const`, never `let`, in components."

SUMMARY = """Summary:
1. Primary Request and Intent:
   A berth must not be bookable twice. The form of harbor-booking is to check the chosen dates while the user types and to show a hint, without a reload. Jun wants the rule in one place that both the form and the confirmation page use.

2. Key Technical Concepts:
   - Half-open date ranges: a boat may arrive on the day another leaves
   - A pending request is cancelled when the dates change (AbortController)

3. Files and Code Sections:
   - `src/booking/overlap.ts` (new): `overlaps(a, b)` for half-open ranges
     ```ts
     export const overlaps = (a: Stay, b: Stay) => a.from < b.to && b.from < a.to;
     ```
   - `src/booking/DatesField.tsx`: asks the server 300 ms after the last key and shows `texts.berthTaken`
   - `src/booking/Confirmation.tsx`: still has its own comparison, to be replaced

4. Errors and fixes:
   - The test "leaves in the morning, next arrives at noon" failed, since the comparison was closed at both ends; Jun: "the day of departure is free again". Now half-open.
   - Answers overtook each other when typing fast; the older request is now aborted.

5. Problem Solving:
   The check works in the form. The confirmation page is not changed yet.

6. All user messages:
   - "Two boats got berth 14 for the same night. The form has to notice while one types the dates, no reload."
   - "The day of departure is free again at noon, so ranges that only touch are fine."
   - "Good. Use the same function on the confirmation page, and keep `const` everywhere."

7. Pending Tasks:
   - Use `overlaps` in `Confirmation.tsx`
   - Japanese and English text for the hint on that page

8. Current Work:
   The fields of the form were read one by one to see who else compares dates; only `Confirmation.tsx` does.

9. Optional Next Step:
   Replace the comparison in `Confirmation.tsx`. ("Use the same function on the confirmation page")"""

OVERLAP = """export interface Stay {
  from: string; // ISO date, the day of arrival
  to: string; // ISO date, the day of departure
}

export const overlaps = (a: Stay, b: Stay) => a.from <= b.to && b.from <= a.to;"""


def build() -> Files:
    """One boundary, manual; the last reply is kept; three files are sent again and one is only named."""
    s = NewestSession(
        "03-manual-kept-rows",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-17T13:05:00Z",
        slug="quiet-harbor",
        rules=RULES,
        requests=True,
    )
    names = listing("03", 8, f"{HOME}/src/booking", "tsx")
    s.prompt("Two boats got berth 14 for the same night. The form has to notice while one types the dates, no reload.")
    s.step(
        Think("Who compares dates today?"),
        "First I'll see who compares dates today.",
        grep(
            "\\.from|\\.to\\b",
            "src/booking/overlap.ts:6:export const overlaps\nsrc/booking/Confirmation.tsx:88:const clash = stay.from <= other.to",
        ),
    )
    s.step(
        read(f"{HOME}/src/booking/overlap.ts", OVERLAP), read(f"{HOME}/src/booking/DatesField.tsx", tsx_source("03 dates", 5_200))
    )
    s.step(
        failed(
            "npm test -- overlap",
            "FAIL src/booking/overlap.test.ts\n  ✕ leaves in the morning, next arrives at noon (3 ms)\n    expected false, got true",
        )
    )
    s.step("Ranges that only touch count as overlapping today. Is a berth free again on the day of departure?")
    s.turn_end()
    s.prompt("The day of departure is free again at noon, so ranges that only touch are fine.")
    s.step(edit(f"{HOME}/src/booking/overlap.ts", "a.from <= b.to && b.from <= a.to", "a.from < b.to && b.from < a.to"))
    s.step(bash("npm test -- overlap", test_run("03 overlap", 11, "npm")))
    s.step(
        "The ranges are half-open now. Next: the form asks while one types.",
        edit(f"{HOME}/src/booking/DatesField.tsx", "onBlur={() => setTouched(true)}", "onInput={ask}"),
    )
    s.step(bash("npm test -- DatesField", test_run("03 field", 16, "npm")))
    s.step("The form notices a taken berth 300 ms after the last key.")
    s.turn_end()
    s.prompt("Good. Use the same function on the confirmation page, and keep `const` everywhere.")
    s.step(glob("src/booking/*.tsx", *names))
    for place, name in enumerate(names):
        s.step(read(name, tsx_source(f"03 {place}", 9_000 if place else 26_000)))
    s.step(read(f"{HOME}/src/booking/Confirmation.tsx", tsx_source("03 confirmation", 4_000)))
    last = s.step(
        "Only `Confirmation.tsx` compares dates by itself, in line 88. I'll replace that comparison by `overlaps`; the hint needs a text in both "
        "languages."
    )
    s.turn_end(6)
    s.compact(
        "manual",
        SUMMARY,
        kept=last,
        files=(f"{HOME}/src/booking/Confirmation.tsx", f"{HOME}/src/booking/DatesField.tsx", f"{HOME}/src/booking/overlap.ts"),
        references=(names[0],),
        instructions="Keep the rule about the day of departure and the const rule.",
    )
    s.clock.wait(3)
    s.prompt("Go ahead. The Japanese text is 「この桟橋は予約済みです」.")
    s.step(
        "I'll change the confirmation page.",
        edit(
            f"{HOME}/src/booking/Confirmation.tsx", "const clash = stay.from <= other.to", "const clash = overlaps(stay, other)"
        ),
    )
    s.step(
        edit(f"{HOME}/src/texts/ja.ts", "// end", 'berthTaken: "この桟橋は予約済みです",\n// end'),
        edit(f"{HOME}/src/texts/en.ts", "// end", 'berthTaken: "This berth is taken",\n// end'),
    )
    s.step(bash("npm test", test_run("03 all", 40, "npm")))
    s.step(
        "The form and the confirmation page share `overlaps` now, and the hint has its text in both languages. All 40 tests pass."
    )
    s.turn_end()
    return {"03-manual-kept-rows.jsonl": s.file()}
