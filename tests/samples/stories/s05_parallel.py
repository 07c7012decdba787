"""Three calls in one reply: the results hang on their own calls and fork the tree. Later a prompt is rewound and asked otherwise."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from ..newest import NewestSession
from ..session import Files
from ..tools import Think, bash, edit, grep, read

HOME = "/home/mira/tidewatch"
RULES = "# tidewatch\n- Go 1.23, standard library only.\n- Flags are long and spelt out."

MAIN = """package main

import (
\t"flag"
\t"fmt"
\t"os"

\t"tidewatch/table"
)

func main() {
\tstation := flag.String("station", "", "name of the station, or its first letters")
\tflag.Parse()
\tt, err := table.Find(*station)
\tif err != nil {
\t\tfmt.Fprintln(os.Stderr, "tidewatch:", err)
\t\tos.Exit(2)
\t}
\tfmt.Println(t.Next())
}"""

FIND = """// Find returns the table of the only station whose name begins with prefix.
func Find(prefix string) (Table, error) {
\tvar found []Table
\tfor _, t := range all {
\t\tif strings.HasPrefix(t.Name, prefix) {
\t\t\tfound = append(found, t)
\t\t}
\t}
\tswitch len(found) {
\tcase 0:
\t\treturn Table{}, fmt.Errorf("no station begins with %q", prefix)
\tcase 1:
\t\treturn found[0], nil
\t}
\treturn Table{}, fmt.Errorf("%q fits %d stations", prefix, len(found))
}"""


def build() -> Files:
    """The rewound prompt and its answer are a dead branch; the last `last-prompt` names the leaf of the living one."""
    s = NewestSession(
        "05-parallel-calls",
        cwd=HOME,
        model="claude-sonnet-4-5-20250929",
        start="2026-11-05T19:02:00Z",
        slug="three-currents",
        rules=RULES,
        overhead=22_900,
    )
    s.prompt("Station names should be found without regard to case: `tidewatch --station keld` says there is none.")
    s.step(
        Think("Three places matter: the flag, the lookup, the tests. Read them at once."),
        "I'll read the flag, the lookup and its tests together.",
        read(f"{HOME}/cmd/main.go", MAIN),
        read(f"{HOME}/table/find.go", FIND),
        grep(
            "Find\\(",
            'table/find_test.go:14:\tgot, err := Find("Keld")\ntable/find_test.go:22:\t_, err := Find("Ke")\ncmd/main.go:14:\tt, err := table.Find(*station)',
        ),
    )
    s.step(
        "`Find` compares byte by byte. Two ways: fold both sides on every call, or keep folded names beside the tables. Which do you prefer?"
    )
    s.turn_end()
    turning = s.mark()
    s.prompt("Keep folded names beside the tables.")
    s.step(edit(f"{HOME}/table/table.go", "Name   string", "Name   string\n\tFolded string"))
    s.step("`Table` has a folded name now; the loader still has to fill it, in eleven places.")
    s.clock.wait(2)
    s.rewind(turning)
    s.prompt("On second thought: fold on every call. There are only twenty stations.")
    s.step(
        bash("git checkout table/table.go", "Updated 1 path from the index"),
        edit(
            f"{HOME}/table/find.go",
            "strings.HasPrefix(t.Name, prefix)",
            "strings.HasPrefix(strings.ToLower(t.Name), strings.ToLower(prefix))",
        ),
    )
    s.step(bash("go test ./table", "ok  \ttidewatch/table\t0.101s"))
    s.step("`Find` folds both sides now; `keld` is found and the tests pass.")
    return {"05-parallel-calls.jsonl": s.file()}
