"""Damage as it happens to files: lines cut, spliced and swapped, NULs, surrogates, huge lines, deep nesting."""

import json
import random
from collections.abc import Callable, Iterator

Lines = list[bytes]


def _cut(lines: Lines, r: random.Random) -> None:
    at = r.randrange(len(lines))
    lines[at] = lines[at][: r.randrange(len(lines[at]) + 1)]


def _splice(lines: Lines, r: random.Random) -> None:
    at, other = r.randrange(len(lines)), r.randrange(len(lines))
    lines[at] = lines[at][: r.randrange(len(lines[at]) + 1)] + lines[other]


def _glue(lines: Lines, r: random.Random) -> None:
    if len(lines) > 1:
        at = r.randrange(len(lines) - 1)
        lines[at : at + 2] = [lines[at] + lines[at + 1]]


def _swap(lines: Lines, r: random.Random) -> None:
    a, b = r.randrange(len(lines)), r.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


def _double(lines: Lines, r: random.Random) -> None:
    lines.insert(r.randrange(len(lines) + 1), r.choice(lines))


def _drop(lines: Lines, r: random.Random) -> None:
    if len(lines) > 1:
        del lines[r.randrange(len(lines))]


def _nuls(lines: Lines, r: random.Random) -> None:
    at = r.randrange(len(lines))
    where = r.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:where] + b"\x00" * r.randrange(1, 600) + lines[at][where:]


def _bytes(lines: Lines, r: random.Random) -> None:
    at = r.randrange(len(lines))
    line = bytearray(lines[at])
    for _ in range(r.randrange(1, 6)):
        if line:
            line[r.randrange(len(line))] = r.randrange(256)
    lines[at] = bytes(line).replace(b"\n", b" ")


def _surrogate(lines: Lines, r: random.Random) -> None:
    at = r.randrange(len(lines))
    lines[at] = lines[at].replace(
        b'"text":"', b'"text":"' + r.choice([b"\\ud83d", b"\\udc00\\ud800", b"\\u0000", b"\\ud83d\\ude00"]), 1
    )


def _value(lines: Lines, r: random.Random) -> None:
    """A field gets a value of another type."""
    at = r.randrange(len(lines))
    try:
        record = json.loads(lines[at])
    except (ValueError, RecursionError):
        return
    if not isinstance(record, dict) or not record:
        return
    target = record
    if isinstance(record.get("message"), dict) and r.random() < 0.6:
        target = record["message"]
    key = r.choice(list(target))
    target[key] = r.choice(
        [
            None,
            0,
            -1,
            1.5,
            10**30,
            True,
            "",
            "x",
            [],
            [[]],
            {},
            {"type": 5},
            [None, 3, "s", {"type": None}, {"type": "tool_result"}],
        ]
    )
    lines[at] = json.dumps(record).encode()


def _link(lines: Lines, r: random.Random) -> None:
    """A parent that is another row, itself, or nobody."""
    at = r.randrange(len(lines))
    try:
        record, other = json.loads(lines[at]), json.loads(r.choice(lines))
    except (ValueError, RecursionError):
        return
    if isinstance(record, dict) and isinstance(other, dict):
        record["parentUuid"] = r.choice([other.get("uuid"), record.get("uuid"), "nobody", None])
        if r.random() < 0.3:
            record["uuid"] = other.get("uuid")
        lines[at] = json.dumps(record).encode()


def _huge(lines: Lines, r: random.Random) -> None:
    at = r.randrange(len(lines))
    lines[at] = lines[at].replace(b'"text":"', b'"text":"' + b"x" * r.choice([70_000, 1_100_000]), 1)


def _deep(lines: Lines, r: random.Random) -> None:
    depth = r.choice([50, 3_000, 60_000])
    lines.insert(
        r.randrange(len(lines) + 1), b'{"type":"user","uuid":"deep","x":' + b"[" * depth + b"]" * r.choice([depth, 0]) + b"}"
    )


def _odd(lines: Lines, r: random.Random) -> None:
    lines.insert(
        r.randrange(len(lines) + 1),
        r.choice(
            [b"", b" ", b"\t\r", b"// a comment", b"null", b"[]", b"42", b'"text"', b"\xef\xbb\xbf", b"{}", b'{"type":1}', b"NaN"]
        ),
    )


KINDS: tuple[Callable[[Lines, random.Random], None], ...] = (
    _cut, _splice, _glue, _swap, _double, _drop, _nuls, _bytes, _surrogate, _value, _value, _link, _huge, _deep, _odd,
)  # fmt: skip


def mutations(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """`count` damaged versions of a session, each with one to four kinds of damage; the same for the same seed."""
    r = random.Random(seed)
    for _ in range(count):
        lines = content.rstrip(b"\n").split(b"\n")
        for _ in range(r.randrange(1, 5)):
            if lines:
                r.choice(KINDS)(lines, r)
        joined = r.choice([b"\n", b"\n", b"\r\n"]).join(lines) + r.choice([b"\n", b""])
        yield joined[: r.randrange(len(joined) + 1)] if r.random() < 0.05 else joined
