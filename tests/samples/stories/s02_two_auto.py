"""Two automatic compactions at 167,000 tokens. The user's wish for plain `for` loops survives the first summary and is lost in the second."""
# ruff: noqa: E501 - what people and programs say is not broken into lines

from collections.abc import Iterator

from ..filler import STATIONS, go_source, listing, test_run, tide_table
from ..session import Files, Part, Session
from ..tools import Think, Tool, bash, edit, failed, glob, grep, read, write

HOME = "/home/mira/tidewatch"
PREFERENCE = "One thing for the whole session: no helper with callbacks, please. Plain for loops, I have to debug this at sea."

FIRST = """Analysis:
Going through the conversation from the start: Mira asked for harmonic prediction in place of the scraped tables, one station at a time, with the published tables as the yardstick. She set a style rule early (plain for loops, no callbacks), corrected the unit of phase once (degrees, not radians, in the station files), and asked that the command line stay as it is. I read the package from loader to printer, wrote `predict.go`, and compared with the tables. Work stopped in the middle of the nodal corrections, with Brackwater 14 minutes late.

Summary:
1. Primary Request and Intent:
   Replace the scraped tide tables of tidewatch by harmonic prediction. Each station is to agree with the published table within 5 minutes and 0.10 m. The commands and their output stay as they are. Work station by station, Aldmere first.

2. Key Technical Concepts:
   - Harmonic constituents: amplitude in metres, phase in degrees relative to Greenwich, speed in degrees per hour
   - Nodal factors f and u, which change slowly over 18.6 years
   - Extremes by the sign change of the derivative, refined by bisection

3. Files and Code Sections:
   - `tide/predict.go` (new): `Height(at, station)` sums the constituents; `Extremes(from, to, station)` walks in steps of 10 minutes and bisects
     ```go
     for _, c := range station.Constituents {
         angle := (c.Speed*hours + c.Phase) * math.Pi / 180
         height += c.Amplitude * math.Cos(angle)
     }
     ```
   - `tide/station.go`: loads the station files; phases are degrees there
   - `tide/predict_test.go`: compares with `testdata/*.csv`

4. Errors and fixes:
   - Heights were off by up to 4 m: phase was taken as radians. Mira: "The files say degrees, look at the header." Converted in one place, `Height`.
   - `TestExtremes/Corrig_Point` looped for ever at a double low water: the step did not advance after a bisection. Now it goes on from the end of the interval.

5. Problem Solving:
   Aldmere, Corrig Point and Dunholm agree within 3 minutes. Brackwater is 14 minutes late; M2 alone explains it, so the nodal correction is the suspect.

6. All user messages:
   - "The scraped tables break every January. I want tidewatch to predict from the harmonic constituents instead, station by station, Aldmere first. Within 5 minutes and 0.10 m of the published table, and the command line stays as it is."
   - "One thing for the whole session: no helper with callbacks, please. Plain for loops, I have to debug this at sea."
   - "4 metres off? The files say degrees, look at the header."
   - "Good. Go through the other stations now and tell me only what is out of tolerance."

7. Pending Tasks:
   - Nodal corrections, then Brackwater again
   - The remaining stations, in the order of the list
   - Remove the scraper once all stations agree

8. Current Work:
   Reading the published tables and the corresponding sources station by station; just before this summary the table of the current station had been read and its extremes were to be compared.

9. Optional Next Step:
   Put the nodal factor into `Height` and run `go test ./tide -run Brackwater` again. ("Go through the other stations now and tell me only what is out of tolerance.")"""

SECOND = """Analysis:
The conversation continues a summarised one. The goal is harmonic prediction for all stations in place of scraped tables. Nodal corrections were added and Brackwater now agrees. The user asked for a report of stations out of tolerance, then for a cache of the year's extremes. The cache is half written. Messages in order: the continuation, the question about Brackwater, the request for the cache.

Summary:
1. Primary Request and Intent:
   Tidewatch predicts from harmonic constituents instead of scraped tables; within 5 minutes and 0.10 m of the published table; command line unchanged. Newest request: keep a year's extremes in a cache file, so that `tidewatch year` answers at once.

2. Key Technical Concepts:
   - Harmonic constituents, nodal factors
   - A cache file per station and year, thrown away when the station file is newer

3. Files and Code Sections:
   - `tide/predict.go`: `Height` now takes the nodal factor for the middle of the year
   - `tide/nodal.go` (new): `Factor(name, year)`
   - `tide/cache.go` (begun): `Load(station, year)`, `Store(station, year, extremes)`

4. Errors and fixes:
   - Brackwater was 14 minutes late; with the nodal factor it is 2 minutes late
   - The cache was written into the source folder; moved to the user's cache directory after the user's remark

5. Problem Solving:
   All stations but Quern Head agree. Quern Head has a shallow-water constituent that its file lacks.

6. All user messages:
   - "Is Brackwater right now?"
   - "Then keep the extremes of a year in a cache file, tidewatch year takes 9 seconds on the boat's computer."
   - "Not into the source folder! The user's cache directory."

7. Pending Tasks:
   - Finish `tide/cache.go` and its test
   - Quern Head: find the missing constituent
   - Remove the scraper

8. Current Work:
   Writing `Store` in `tide/cache.go`; the last step read the sources that will use it.

9. Optional Next Step:
   Finish `Store`, then measure `tidewatch year` again. ("tidewatch year takes 9 seconds on the boat's computer")"""

HEIGHT = """// Height returns the height of the tide above chart datum, in metres.
func Height(at time.Time, station Station) float64 {
\thours := at.Sub(station.Epoch).Hours()
\theight := station.Mean
\tfor _, c := range station.Constituents {
\t\theight += c.Amplitude * math.Cos(c.Speed*hours+c.Phase)
\t}
\treturn height
}"""

CALLBACK = """// each calls visit for every extreme of the year and stops at the first error.
func each(year int, station Station, visit func(Extreme) error) error {
\treturn walk(start(year), start(year+1), station, func(e Extreme) error { return visit(e.rounded()) })
}

// Store writes the extremes of a year into the user's cache directory.
func Store(station Station, year int) error {
\tw, err := create(station, year)
\tif err != nil {
\t\treturn err
\t}
\tdefer w.Close()
\treturn each(year, station, func(e Extreme) error { return w.Write(e) })
}"""


def survey(part: int) -> Iterator[tuple[Part, ...]]:
    """Station after station: the published table (a connected server's tool, whose rows have no `toolUseResult`), then the source that reads it, now and then a test run."""
    for turn in range(60):
        station = STATIONS[turn % len(STATIONS)]
        file = station.lower().replace(" ", "_")
        size = 7_200 + 900 * (turn % 5)
        yield (
            f"{station} next: its published table.",
            Tool(
                "mcp__harbourtables__published",
                {"station": file, "year": 2026, "part": turn},
                tide_table(f"02 {part} {turn}", size),
                None,
            ),
        )
        yield (read(f"{HOME}/tide/{file}_{turn}.go", go_source(f"02 {part} {turn}", size - 4_200)),)
        if turn % 4 == 3:
            yield (
                Think(f"{station} should agree now. Run its tests before the next one."),
                bash(f"go test ./tide -run {station.split()[0]} -v", test_run(f"02 {part} {turn}", 34)),
            )


def build() -> Files:
    """Two boundaries, both automatic, both at 167,000 and a little."""
    s = Session(
        "02-two-auto-compactions",
        version="2.1.34",
        cwd=HOME,
        model="claude-opus-4-6",
        overhead=51_800,
        start="2026-02-11T09:12:00Z",
        branch="harmonics",
        slug="steady-rising-tide",
    )
    s.hook("SessionStart", "SessionStart:startup", "scripts/session-start.sh")
    s.snapshot()
    s.prompt(
        "The scraped tables break every January. I want tidewatch to predict from the harmonic constituents instead, station by station, Aldmere "
        "first. Within 5 minutes and 0.10 m of the published table, and the command line stays as it is."
    )
    s.step(
        Think("Understand the package first: loader, table, printer."),
        "I'll look at how the tables are read today.",
        glob("tide/*.go", *listing("02", 24, "tide", "go")),
    )
    s.step(
        grep(
            "func Load",
            "tide/station.go:41:func Load(path string) (Station, error) {\ntide/table.go:17:func LoadTable(r io.Reader) (Table, error) {",
        )
    )
    s.step(read(f"{HOME}/tide/station.go", go_source("02 station", 6_000)))
    s.turn_end()
    s.snapshot()
    s.prompt(PREFERENCE)
    s.step("Understood: plain `for` loops, no callbacks.")
    s.step(write(f"{HOME}/tide/predict.go", f'package tide\n\nimport (\n\t"math"\n\t"time"\n)\n\n{HEIGHT}'))
    s.step(
        failed(
            "go test ./tide -run Aldmere",
            "--- FAIL: TestHeight/Aldmere (0.00s)\n    predict_test.go:22: 2026-01-03T04:10Z = 7.91 m, published 3.84 m\nFAIL",
        )
    )
    s.step("The heights are up to 4 metres off; the shape is right, so it is the phase.")
    s.turn_end()
    s.snapshot()
    s.prompt("4 metres off? The files say degrees, look at the header.")
    s.step(edit(f"{HOME}/tide/predict.go", "math.Cos(c.Speed*hours+c.Phase)", "math.Cos((c.Speed*hours+c.Phase)*math.Pi/180)"))
    s.step(bash("go test ./tide -run Aldmere -v", test_run("02 aldmere", 12)))
    s.step("Right: degrees. Aldmere agrees now, 3 minutes at worst.")
    s.turn_end()
    s.snapshot()
    s.prompt("Good. Go through the other stations now and tell me only what is out of tolerance.")
    s.work_until(167_000, survey(1))
    s.auto_compact(FIRST)
    s.step("Going on with Brackwater.", write(f"{HOME}/tide/nodal.go", go_source("02 nodal", 3_000)))
    s.step(bash("go test ./tide -run Brackwater -v", test_run("02 brackwater", 20)))
    s.step("With the nodal factor Brackwater is 2 minutes late, inside the tolerance.")
    s.turn_end()
    s.snapshot()
    s.prompt("Is Brackwater right now?")
    s.step("Yes: 2 minutes and 0.04 m at worst over the whole year.")
    s.turn_end()
    s.snapshot()
    s.prompt("Then keep the extremes of a year in a cache file, tidewatch year takes 9 seconds on the boat's computer.")
    s.step(write(f"{HOME}/tide/cache.go", go_source("02 cache", 2_400)))
    s.step("A first version stands in `tide/cache.go`; it writes beside the sources.")
    s.turn_end()
    s.snapshot()
    s.prompt("Not into the source folder! The user's cache directory.")
    s.step(edit(f"{HOME}/tide/cache.go", 'filepath.Join("tide", "cache")', 'filepath.Join(userCache, "tidewatch")'))
    s.step("Changed. Before I write `Store` I'll read everything that will call it.")
    s.work_until(167_000, survey(2))
    s.auto_compact(SECOND)
    s.step("I'll finish `Store` now.", edit(f"{HOME}/tide/cache.go", "// Store follows", CALLBACK))
    s.step(bash("go test ./tide -run Cache -v", test_run("02 store", 9)))
    s.step("The cache is written and read back; `tidewatch year` takes 0.3 seconds.")
    s.turn_end()
    s.snapshot()
    s.prompt("You wrote a helper with callbacks. I said in the beginning that I don't want those: plain for loops.")
    s.step(
        "You did, and it is in none of my notes any more; sorry. I'll rewrite `Store` with a loop.",
        edit(
            f"{HOME}/tide/cache.go",
            "return each(year, station, func(e Extreme) error { return w.Write(e) })",
            "for _, e := range Extremes(start(year), start(year+1), station) {\n\t\tif err := w.Write(e); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil",
        ),
    )
    s.step("`Store` is a plain loop now and `each` is gone.")
    s.turn_end()
    return {"02-two-auto-compactions.jsonl": s.file()}
