"""A short session in today's format: a wrong tide height near midnight is found and fixed."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..newest import NewestSession
from ..session import Files
from ..tools import Think, bash, edit, failed, grep, read

HOME = "/home/mira/tidewatch"
RULES = "# tidewatch\n- Go 1.23, standard library only.\n- Heights are metres, times are UTC inside and local at the edge.\n- Run `go test ./...` before a commit."

NEAREST = """package tide

import (
\t"sort"
\t"time"
)

// Extreme is a high or low water.
type Extreme struct {
\tAt     time.Time
\tHeight float64
\tHigh   bool
}

// Nearest returns the extreme closest in time to at, and false for an empty table.
func Nearest(table []Extreme, at time.Time) (Extreme, bool) {
\tif len(table) == 0 {
\t\treturn Extreme{}, false
\t}
\tday := at.Truncate(24 * time.Hour)
\ti := sort.Search(len(table), func(i int) bool { return !table[i].At.Before(day) })
\tbest := table[i%len(table)]
\tfor _, e := range table[i:] {
\t\tif e.At.Truncate(24*time.Hour) != day {
\t\t\tbreak
\t\t}
\t\tif e.At.Sub(at).Abs() < best.At.Sub(at).Abs() {
\t\t\tbest = e
\t\t}
\t}
\treturn best, true
}"""

OLD = NEAREST[NEAREST.index("\tday :=") : NEAREST.index("\treturn best")]
NEW = """\ti := sort.Search(len(table), func(i int) bool { return !table[i].At.Before(at) })
\tswitch {
\tcase i == 0:
\t\treturn table[0], true
\tcase i == len(table), at.Sub(table[i-1].At) < table[i].At.Sub(at):
\t\treturn table[i-1], true
\t}
\tbest := table[i]
"""

FAILURE = """--- FAIL: TestNearestAfterMidnight (0.00s)
    nearest_test.go:31: Nearest(00:20) = 06:11 low, want 23:58 high of the day before
FAIL
FAIL\ttidewatch/tide\t0.004s"""


def build() -> dict[str, bytes]:
    """No compaction; three prompts, nine calls or fewer."""
    s = NewestSession(
        "01-plain-short",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-03T08:40:00Z",
        slug="calm-water",
        rules=RULES,
        overhead=23_400,
    )
    s.prompt(
        "`tidewatch now Keld` says the next tide is at 06:11, but high water was at 23:58, twenty minutes ago. Why does it skip it?"
    )
    s.step(
        Think("The lookup probably works by calendar day. Find it first."),
        "I'll look for the lookup.",
        grep("func Nearest", "tide/nearest.go:16:func Nearest(table []Extreme, at time.Time) (Extreme, bool) {"),
    )
    s.step(read(f"{HOME}/tide/nearest.go", NEAREST))
    s.step(
        "`Nearest` searches from midnight of the day you ask in: at 00:20 the high water of 23:58 lies before that day and is never looked at. "
        "The two neighbours of the time itself are enough; no day is needed. Shall I change it?"
    )
    s.turn_end()
    s.prompt("Yes. Write the failing test first, please.")
    test = 'func TestNearestAfterMidnight(t *testing.T) {\n\tgot, _ := Nearest(twoDays, clock("2026-11-03T00:20"))\n\tif !got.High {\n\t\tt.Errorf("Nearest(00:20) = %v", got)\n\t}\n}'
    s.step(edit(f"{HOME}/tide/nearest_test.go", "// end of tests", f"{test}\n\n// end of tests"))
    s.step(failed("go test ./tide -run Nearest", FAILURE))
    s.step("It fails as it should. Now the fix.", edit(f"{HOME}/tide/nearest.go", OLD, NEW))
    s.step(
        bash(
            "go test ./...",
            "ok  \ttidewatch/cmd\t0.211s\nok  \ttidewatch/tide\t0.385s\nok  \ttidewatch/table\t0.094s",
            "Run all tests",
        )
    )
    s.step(
        "Done: `Nearest` compares the extreme before the time with the one after it. The new test failed before the change and passes now, "
        "as do all others."
    )
    s.turn_end()
    s.prompt("Thanks. Commit it as 'nearest: look across midnight'.")
    s.step(
        bash(
            "git commit -am 'nearest: look across midnight'",
            "[main 4be1f0a] nearest: look across midnight\n 2 files changed, 17 insertions(+), 12 deletions(-)",
        )
    )
    s.step("Committed as 4be1f0a.")
    files: Files = {"01-plain-short.jsonl": s.file()}
    return files
