"""What `compact --json` tells of each sample and variant, as files one can read: long texts and lists are cut and say so.

Each variant runs at the end of the session, `auto` before its first boundary with the summary recorded there. The time is
two hours after the last row, so that old results are cleared.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.golden import HERE, NAMES
from workbench.cli import main
from workbench.compaction.variants import AUTO, FROM, MICRO_TIME, UP_TO, VARIANTS
from workbench.storage import load
from workbench.transcript.session import Session

FOLDER = HERE / "compact"
PAIRS = tuple((name, variant) for name in NAMES for variant in VARIANTS)
TEXT, ITEMS = 160, 8  # characters of a text, items of a list that are shown


def golden_run(name: str, variant: str) -> Path:
    """Where the golden file of a sample and a variant is."""
    return FOLDER / f"{name}--{variant}.json"


def run_told(samples: Path, name: str, variant: str) -> bytes:
    """The golden file: the JSON as it is told, shortened and laid out."""
    shown = io.BytesIO()
    with (
        chdir(samples.parent),
        redirect_stdout(io.TextIOWrapper(shown, encoding="utf-8")) as text,
        redirect_stderr(io.StringIO()),
    ):
        main(command(f"{samples.name}/{name}.jsonl", variant))
        text.flush()
    return json.dumps(shortened(json.loads(shown.getvalue())), ensure_ascii=False, indent=1).encode() + b"\n"


def command(path: str, variant: str) -> list[str]:
    """The command line of a variant on a sample."""
    session = load(path)
    options = ["compact", path, "--variant", variant, "--json", "--settings", "none"]
    if variant in (FROM, UP_TO):
        options += ["--pivot", middle(session)]
    if variant == MICRO_TIME:
        options += ["--now", later(session)]
    if variant == AUTO and session.boundaries:
        options += ["--at", str(session.boundaries[0].line), "--summarizer", "recorded"]
    return options


def middle(session: Session) -> str:
    """The line of a row in the middle of the array."""
    said = [session.index.lines[p] for p in session.chain.places if session.index.kind(p) in ("user", "assistant")]
    return str(said[len(said) // 2])


def later(session: Session) -> str:
    """Two hours after the last row."""
    times = [row.timestamp for row in session.rows(session.chain.places) if row.timestamp]
    return (datetime.fromisoformat(max(times)) + timedelta(hours=2)).isoformat()


def shortened(told: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON without what is no news: settings that are defaults, numbers of the stages, most of long lists and texts."""
    found = {key: value for key, value in told.items() if key not in ("settings", "stages")}
    found["stages"] = [stage(each) for each in told["stages"]]
    found["settings"] = {n: v for n, v in told["settings"].items() if v["source"] not in ("default", "profile")}
    return {key: cut(value) for key, value in found.items()}


def stage(told: Mapping[str, Any]) -> dict[str, Any]:
    """A stage with its changes by kind."""
    kinds = Counter(change["kind"] for change in told["changes"])
    return {key: value for key, value in told.items() if key not in ("numbers", "changes")} | {"changes": dict(kinds)}


def cut(value: Any) -> Any:
    """Long texts to their start and a digest, long lists to both ends."""
    if isinstance(value, str) and len(value) > TEXT:
        digest = sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return f"{value[:TEXT]} […{len(value)} characters, {digest}]"
    if isinstance(value, Mapping):
        return {key: cut(each) for key, each in value.items()}
    if isinstance(value, list):
        ends = value if len(value) <= ITEMS else [*value[: ITEMS // 2], f"[…{len(value) - ITEMS} more]", *value[-ITEMS // 2 :]]
        return [cut(each) for each in ends]
    return value


def rewrite(samples: Path) -> None:
    """Writes every golden file anew and removes those of samples and variants that are gone."""
    FOLDER.mkdir(exist_ok=True)
    for stale in {*FOLDER.glob("*.json")} - {golden_run(*pair) for pair in PAIRS}:
        stale.unlink()
    for pair in PAIRS:
        golden_run(*pair).write_bytes(run_told(samples, *pair))
