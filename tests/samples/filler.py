"""Bulk that a working agent reads: source files, logs, tables, test runs. Made from a name, the same on every run.

Only the bulk of a session comes from here. What the story is about is written by hand in `stories/`.
"""

from collections.abc import Iterator

from .identity import digest

STATIONS = (
    "Aldmere",
    "Brackwater",
    "Corrig Point",
    "Dunholm",
    "Eastlight",
    "Farrow Sound",
    "Gannet Rock",
    "Holloway",
    "Inverskel",
    "Keld Bay",
    "Lowen Quay",
    "Marrick",
    "Northhaven",
    "Oyster Bar",
    "Pellan",
    "Quern Head",
    "Rathvay",
    "Skerrow",
    "Tolver",
    "Ullsmouth",
)
WORDS = (
    "buffer",
    "cursor",
    "window",
    "segment",
    "offset",
    "ledger",
    "marker",
    "batch",
    "lease",
    "digest",
    "anchor",
    "signal",
    "quota",
    "stamp",
    "record",
    "source",
    "target",
    "channel",
    "station",
    "range",
)
VERBS = (
    "parse",
    "merge",
    "flush",
    "rotate",
    "resolve",
    "collect",
    "compare",
    "advance",
    "restore",
    "trim",
    "encode",
    "verify",
    "split",
    "observe",
    "release",
    "claim",
    "fold",
    "measure",
    "align",
    "render",
)


class Dice:
    """Numbers and choices that follow from a name."""

    def __init__(self, name: str) -> None:
        self._name, self._count = name, 0

    def number(self, low: int, high: int) -> int:
        """A number between low and high, both included."""
        self._count += 1
        return low + int.from_bytes(digest(self._name, self._count)[:6], "big") % (high - low + 1)

    def pick(self, choices: tuple[str, ...]) -> str:
        """One of the choices."""
        return choices[self.number(0, len(choices) - 1)]


def sized(lines: Iterator[str], size: int) -> str:
    """As many lines as fit into about that many bytes."""
    found, total = [], 0
    for line in lines:
        found.append(line)
        total += len(line.encode()) + 1
        if total >= size:
            return "\n".join(found)
    return "\n".join(found)


def go_source(name: str, size: int, package: str = "tide") -> str:
    """A Go file of about `size` bytes: small functions over tidal constituents."""
    return sized(_go(Dice(name), package), size)


def _go(dice: Dice, package: str) -> Iterator[str]:
    yield from (f"package {package}", "", "import (", '\t"fmt"', '\t"math"', '\t"time"', ")", "")
    while True:
        verb, noun, other = dice.pick(VERBS), dice.pick(WORDS), dice.pick(WORDS)
        func = verb + noun.title() + (other.title() if dice.number(0, 2) == 0 else "")
        yield f"// {func} returns the {noun} for a {other} in the reference frame of the station."
        yield f"func {func}(at time.Time, {other} float64) (float64, error) {{"
        yield f"\tif math.IsNaN({other}) || {other} < {-dice.number(1, 40)} {{"
        yield f'\t\treturn 0, fmt.Errorf("{noun} {other} %v is out of range", {other})'
        yield "\t}"
        yield f"\thours := at.Sub(epoch{dice.number(1970, 2020)}).Hours()"
        for _ in range(dice.number(1, 4)):
            amplitude, speed = dice.number(1, 999) / 1000, f"{dice.number(10, 300)}.{dice.number(1000, 9999)}"
            yield f"\t{noun} := {amplitude} * math.Cos({speed}*hours + {other})"
            noun = dice.pick(WORDS)
        yield f"\treturn {other} + {dice.number(1, 90) / 100}, nil"
        yield from ("}", "")


def python_source(name: str, size: int) -> str:
    """A Python file of about `size` bytes: parsers of recipe lines."""
    return sized(_python(Dice(name)), size)


def _python(dice: Dice) -> Iterator[str]:
    yield from ("from __future__ import annotations", "", "import re", "from dataclasses import dataclass", "")
    while True:
        verb, noun, other = dice.pick(VERBS), dice.pick(WORDS), dice.pick(WORDS)
        yield f"def {verb}_{noun}_{other}(lines: list[str], limit: int = {dice.number(2, 64)}) -> dict[str, float]:"
        yield f'    """{verb.title()} every {noun} that names a {other}; lines without one are skipped."""'
        yield "    found: dict[str, float] = {}"
        yield f"    for number, line in enumerate(lines[:limit], {dice.number(0, 1)}):"
        yield f'        match = re.match(r"^(?P<{noun}>[0-9./]+)\\s*(?P<{other}>[a-z]+)\\b", line.strip())'
        yield f'        if match is None or match["{other}"] == "{dice.pick(WORDS)}":'
        yield "            continue"
        yield f'        found[match["{other}"]] = float(match["{noun}"]) * {dice.number(1, 900) / 100}'
        yield f'        if len(found) > {dice.number(3, 30)}: raise ValueError(f"line {{number}}: too many {noun} entries")'
        yield from ("    return found", "")


def rust_source(name: str, size: int) -> str:
    """A Rust file of about `size` bytes: pieces of a log shipper."""
    return sized(_rust(Dice(name)), size)


def _rust(dice: Dice) -> Iterator[str]:
    yield from ("use std::io::{self, Read};", "use crate::wal::{Cursor, Segment};", "")
    while True:
        verb, noun, other = dice.pick(VERBS), dice.pick(WORDS), dice.pick(WORDS)
        yield f"/// {verb.title()}s the {noun} up to the next {other}; leaves the cursor behind it."
        yield f"pub(crate) fn {verb}_{noun}(segment: &mut Segment, {other}: u64) -> io::Result<Option<Cursor>> {{"
        yield f"    let mut {noun} = [0u8; {2 ** dice.number(4, 12)}];"
        yield f"    while segment.position() < {other} {{"
        yield f"        let read = segment.read(&mut {noun})?;"
        yield f"        if read == 0 {{ return Ok(None); }}  // {other} lies in the next file"
        yield f"        segment.advance(read as u64 + {dice.number(0, 9)});"
        yield "    }"
        yield from (f"    Ok(Some(segment.cursor_at({other})))", "}", "")


def tsx_source(name: str, size: int) -> str:
    """A TypeScript file of about `size` bytes: fields of a booking form."""
    return sized(_tsx(Dice(name)), size)


def _tsx(dice: Dice) -> Iterator[str]:
    yield from ('import { useId, useState } from "react";', 'import { Field, Hint } from "../ui";', "")
    while True:
        verb, noun, other = dice.pick(VERBS), dice.pick(WORDS), dice.pick(WORDS)
        part = noun.title() + other.title()
        yield f"export function {part}Field(props: {{ value: string; on{verb.title()}: (next: string) => void }}) {{"
        yield "  const id = useId();"
        yield "  const [touched, setTouched] = useState(false);"
        yield f"  const wrong = touched && props.value.length > {dice.number(8, 80)};"
        yield f'  return <Field id={{id}} label="{noun} {other}" invalid={{wrong}} onBlur={{() => setTouched(true)}}>'
        change = f"onChange={{(e) => props.on{verb.title()}(e.target.value)}}"
        yield f"    <input id={{id}} value={{props.value}} {change} maxLength={{{dice.number(80, 200)}}} />"
        yield f'    {{wrong && <Hint tone="warning">Please {verb} the {other}.</Hint>}}'
        yield from ("  </Field>;", "}", "")


def tide_table(name: str, size: int) -> str:
    """Lines of predicted tides: station, time, height in metres, kind."""
    return sized(_tides(Dice(name)), size)


def _tides(dice: Dice) -> Iterator[str]:
    yield "station,time,height_m,kind"
    day = dice.number(1, 9)
    while True:
        for station in STATIONS:
            for kind, low, high in (("high", 280, 590), ("low", 20, 140)):
                at = f"2026-0{day}-{dice.number(10, 28)}T{dice.number(10, 23)}:{dice.number(10, 59)}Z"
                yield f"{station},{at},{dice.number(low, high) / 100:.2f},{kind}"


def log_lines(name: str, size: int) -> str:
    """Lines of a service's log of about `size` bytes in all."""
    return sized(_log(Dice(name)), size)


def _log(dice: Dice) -> Iterator[str]:
    seconds = dice.number(0, 3000)
    while True:
        seconds += dice.number(0, 3)
        level = dice.pick(("INFO ", "INFO ", "INFO ", "DEBUG", "DEBUG", "WARN "))
        yield (
            f"2026-03-0{1 + seconds // 3600 % 9}T{8 + seconds // 3600 % 12:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            f".{dice.number(100, 999)}Z {level} ferryman::{dice.pick(WORDS)} {dice.pick(VERBS)} "
            f"{dice.pick(WORDS)}={dice.number(1, 99999)} segment={dice.number(100, 999):05x} "
            f"lag_ms={dice.number(0, 900)}"
        )


def test_run(name: str, passed: int, tool: str = "go") -> str:
    """The output of a test run in which everything passed."""
    dice = Dice(name)
    if tool == "go":
        lines = [
            f"--- PASS: Test{dice.pick(VERBS).title()}{dice.pick(WORDS).title()}/{dice.pick(STATIONS).replace(' ', '_')} "
            f"(0.{dice.number(0, 99):02}s)"
            for _ in range(passed)
        ]
        return "\n".join([*lines, "PASS", f"ok  \ttidewatch/tide\t{dice.number(1, 9)}.{dice.number(100, 999)}s"])
    lines = [f"test {dice.pick(WORDS)}::{dice.pick(VERBS)}_{dice.pick(WORDS)} ... ok" for _ in range(passed)]
    return "\n".join([*lines, "", f"test result: ok. {passed} passed; 0 failed; finished in 0.{dice.number(10, 99)}s"])


def listing(name: str, count: int, folder: str, ending: str) -> tuple[str, ...]:
    """Paths of invented files below a folder."""
    dice = Dice(name)
    return tuple(f"{folder}/{dice.pick(WORDS)}_{dice.pick(VERBS)}{dice.number(1, 99)}.{ending}" for _ in range(count))
