"""A session and a compaction of it as one HTML page without scripts, to be read anywhere and attached to an issue."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..compaction.result import StageResult
from ..compaction.run import COMPACTED, Run
from ..conversation.figure import Figure
from ..conversation.wording import counted
from ..evidence.explain import Explanation
from ..evidence.finding import Diagnosis
from ..evidence.inspection import BoundaryFacts, Inspection
from ..evidence.loss import GONE, Loss
from ..evidence.timeline import Timeline
from ..transcript.boundary import Boundary
from .markup import Html, table, tag

NOTHING = "–"
MOST_BARS = 400  # columns of the picture: of more calls the largest of each stretch
HEIGHT, BAR = 160, 3  # of the picture, in its own units
MOST_ITEMS = 60

STYLE = """
:root { color-scheme: light dark; --line: #8884; --over: #d33; --warn: #c80; --good: #383; --muted: #777; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; } th, td { text-align: left; padding: 0.15rem 0.6rem 0.15rem 0;
vertical-align: top; border-bottom: 1px solid var(--line); } .n { text-align: right; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: 0.6rem; font-size: 0.85rem; }
td { overflow-wrap: anywhere; } .muted { color: var(--muted); } .over { color: var(--over); } .warn { color: var(--warn); }
.good { color: var(--good); } svg { width: 100%; height: 11rem; border-bottom: 1px solid var(--line); }
"""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report is made of, for one session; `run` and `expected` belong to the compaction that was simulated."""

    name: str
    inspection: Inspection
    timeline: Timeline
    explanation: Explanation
    losses: Sequence[Loss]
    diagnosis: Diagnosis
    run: Run
    expected: Figure | None = None


def report_html(report: Report) -> str:
    """The page as text; nothing in it is loaded from elsewhere."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{report.name}: compactions"),
        tag("style", Html(STYLE)),
    )
    body = tag("body", tag("h1", report.name), *_parts(report))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _parts(report: Report) -> Iterator[Html]:
    yield _facts(report.inspection)
    yield _section("Context over the calls", picture(report.timeline), _legend(report.timeline))
    where = "at the end" if report.run.ground.line is None else f"before line {report.run.ground.line:,}"
    yield _section(f"Does it fire {where}", *_fires(report.explanation))
    yield _section("Recorded compactions", *_boundaries(report))
    yield _section(f"Simulated {where}: {report.run.plan.variant}, {report.run.plan.trigger}", *_run(report))
    yield _section("Faults", *_faults(report.diagnosis))
    yield tag("p", "Every figure says how it is known; nothing here was judged by a model.", class_="muted")


def _section(title: str, *children: Html) -> Html:
    return tag("section", tag("h2", title), *children)


def _facts(found: Inspection) -> Html:
    facts, index = found.session.facts, found.session.index
    now = found.context.now
    rows = (
        ("file", f"{facts.size:,} bytes, {counted(facts.lines, 'line')}, {counted(len(index), 'record')}"),
        ("versions", ", ".join(index.versions) or NOTHING),
        ("models", ", ".join(found.models) or NOTHING),
        ("array", f"{counted(found.array.messages, 'message')}, about {found.array.tokens:,} tokens ({found.estimator.name})"),
        ("context at the end", f"{_number(now.tokens)} {now.kind}: {now.source}"),
        ("overhead", f"{_number(found.overhead.tokens)} {found.overhead.kind}: {found.overhead.source}"),
        ("window", f"{_number(found.window.tokens)}: {found.window.why}"),
        ("fires at", f"{_number(found.threshold.auto)}: {found.threshold.why}"),
    )
    return table(("", ""), rows)


def picture(timeline: Timeline) -> Html:
    """The calls as bars, compactions as red lines, the threshold as a dashed one."""
    points = timeline.points
    if not points:
        return tag("p", "No API call is recorded in this session.", class_="muted")
    step = max(1, -(-len(points) // MOST_BARS))
    top = max(max(p.tokens for p in points), timeline.threshold or 0) * 1.05
    width = max(1, -(-len(points) // step)) * (BAR + 1)
    drawn = []
    for at in range(0, len(points), step):
        tokens = max(p.tokens for p in points[at : at + step])
        height, over = tokens / top * HEIGHT, timeline.threshold is not None and tokens >= timeline.threshold
        place = {"x": at // step * (BAR + 1), "y": round(HEIGHT - height, 1), "width": BAR, "height": round(height, 1)}
        drawn.append(tag("rect", fill="var(--over)" if over else "var(--good)", **place))
    for mark in timeline.marks:
        if mark.kind == "boundary":
            x = mark.index / step * (BAR + 1) - 0.5
            drawn.append(tag("line", x1=x, x2=x, y1=0, y2=HEIGHT, stroke="var(--over)"))
    if timeline.threshold is not None:
        y = round(HEIGHT - timeline.threshold / top * HEIGHT, 1)
        drawn.append(tag("line", x1=0, x2=width, y1=y, y2=y, stroke="var(--over)", stroke_dasharray="4 3"))
    return tag("svg", *drawn, viewBox=f"0 0 {width} {HEIGHT}", preserveAspectRatio="none", role="img")


def _legend(timeline: Timeline) -> Html:
    largest = max((p.tokens for p in timeline.points), default=None)
    calls, threshold = counted(len(timeline.points), "call"), _number(timeline.threshold)
    words = f"{calls}; largest prompt {_number(largest)} (exact); threshold {threshold}"
    return tag("p", words, class_="muted")


def _fires(found: Explanation) -> Iterator[Html]:
    yield tag("p", found.reason, class_="over" if found.verdict.fires else None)
    rows = [("holds" if g.holds else "", g.name, g.value, g.reason) for g in found.verdict.guards]
    yield table(("", "guard", "value", "why"), rows)
    if found.findings:
        lines = [(f.kind, ", ".join(map(str, f.lines[:8])), f.reason) for f in found.findings]
        yield tag("p", "Over the whole session:")
        yield table(("finding", "lines", ""), lines)


def _boundaries(report: Report) -> Iterator[Html]:
    found = report.inspection.boundaries
    if not found:
        yield tag("p", "This session has no compaction.", class_="muted")
        return
    rows = [_boundary(number, each) for number, each in enumerate(found, 1)]
    head = ("", "line", "trigger", "tokens before", "messages after", "next call", "kept rows")
    yield table(head, rows, numbers=(1, 3, 4, 5, 6))
    for loss in report.losses:
        yield tag("h3", f"What compaction {loss.number + 1} lost")
        yield _lost(loss)


def _boundary(number: int, found: BoundaryFacts) -> tuple[str, ...]:
    b: Boundary = found.boundary
    kept = NOTHING if not b.keeps_rows else str(len(b.kept_uuids)) if b.kept_uuids else "a segment"
    after = _number(found.first_call_after)
    return str(number), str(b.line), b.trigger or NOTHING, _number(b.pre_tokens), _number(b.post_tokens), after, kept


def _lost(loss: Loss) -> Html:
    gone = [i for i in loss.items if i.fate == GONE][:MOST_ITEMS]
    retention = [(kind, str(kept), str(total)) for kind, (kept, total) in loss.retention.items()]
    items = [(i.told.risk, i.told.kind, _number(i.told.line), i.told.text, i.evidence) for i in gone]
    remarks = [(each.kind, each.sentence) for each in loss.lint]
    remarks += [("unsupported", f"nothing before it names {claim}") for claim in loss.unsupported]
    remarks += [(sign.kind, f"line {_number(sign.line)}: {sign.item}") for sign in loss.afterwards[:MOST_ITEMS]]
    return tag(
        "div",
        table(("class", "kept", "of"), retention, numbers=(1, 2)),
        table(("risk", "class", "line", "gone", "how looked for"), items, numbers=(2,))
        if items
        else tag("p", "Nothing is gone."),
        table(("", "of the summary, and afterwards"), remarks) if remarks else Html(""),
    )


def _run(report: Report) -> Iterator[Html]:
    run = report.run
    yield tag("p", f"{run.outcome}: {run.reason}", class_="good" if run.outcome == COMPACTED else "warn")
    if report.expected is not None and report.expected.tokens is not None:
        figure = report.expected
        yield tag("p", f"The next call would measure about {figure.tokens:,} tokens ({figure.kind}: {figure.source}).")
    yield table(("stage", "", "tokens before", "after", "why"), [_stage(result) for result in run.results], numbers=(2, 3))
    settings = [(n, str(v.value), v.source) for n, v in run.plan.settings.items() if v.source != "default"]
    if settings:
        yield tag("p", "Settings that are not the default:")
        yield table(("setting", "value", "from"), settings)
    if run.work.summary:
        yield tag("h3", "The summary")
        yield tag("pre", run.work.summary)


def _stage(result: StageResult) -> tuple[str, ...]:
    return result.name, result.outcome, f"~{result.tokens_before:,}", f"~{result.tokens_after:,}", result.reason


def _faults(found: Diagnosis) -> Iterator[Html]:
    if not found.findings:
        yield tag("p", "Nothing is wrong with the session.", class_="good")
        return
    rows = [
        (f.fault.kind, _number(f.fault.line), f.fault.sentence, f.advice, f.repair or "no repair")
        for f in found.findings[:MOST_ITEMS]
    ]
    yield table(("fault", "line", "", "advice", "repair"), rows, numbers=(1,))
    if len(found.findings) > MOST_ITEMS:
        yield tag("p", f"and {len(found.findings) - MOST_ITEMS:,} more", class_="muted")


def _number(value: int | None) -> str:
    return NOTHING if value is None else f"{value:,}"
