"""The report: one page that is well formed, loads nothing, and shows what a session holds as text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.builders import boundary, call, reply, result, session_of, summary, user
from tests.evidence.calls import given
from workbench.answering import answerer
from workbench.cli.grounds import ground_of
from workbench.cli.reporting import report_of
from workbench.compaction.plan import Plan
from workbench.compaction.run import forward, start
from workbench.export.markup import Html, table, tag
from workbench.storage import load
from workbench.transcript.session import Session

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
HOSTILE = "<script>alert(1)</script><img src=x onerror=y> \x1b[2J \u202eevil \ud800 & \" '"
VOID = ("meta", "br", "hr")


class Reader(HTMLParser):
    """Fails on a tag that is not closed in order; remembers elements and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(page: bytes) -> Reader:
    reader = Reader()
    reader.feed(page.decode())
    assert reader.open == []
    return reader


def report(session: Session, line: int | None = None, variant: str = "full") -> bytes:
    settings = given(session)
    ground = ground_of(session, settings, line=line)
    ask = answerer(session, "offline", line=line, variant=variant, model=ground.model)
    return report_of(session, forward(start(ground, Plan(settings, variant, "manual")), ask))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda p: p.stem)
def test_every_sample_gives_a_well_formed_page_that_loads_nothing(path: Path) -> None:
    page = report(load(str(path)))
    reader = read(page)
    assert not {name for name, _ in reader.elements} & {"script", "img", "link", "iframe", "object", "a"}
    assert not any(key in ("src", "href") or key.startswith("on") for _, given in reader.elements for key in given)
    assert b"url(" not in page and b"http" not in page.split(b"<body>")[0]
    assert page == report(load(str(path))), "the same twice"


def test_it_tells_the_run_the_loss_and_the_decision() -> None:
    page = read(report(load(str(next(SAMPLES.glob("02-*.jsonl")))), line=150))
    said = " ".join(page.words)
    assert "Simulated before line 150: full, manual" in said and "compacted: " in said
    assert "What compaction 1 lost" in said and "Exit code 1" in said
    assert "112 calls" in said and "threshold 167,000" in said
    assert sum(name == "rect" for name, _ in page.elements) == 112
    assert "The next call would measure about " in said


def test_what_a_session_holds_is_text() -> None:
    rows = (user(1, HOSTILE), reply(2, HOSTILE, call("a", HOSTILE)), user(3, result("a", HOSTILE, error=True)))
    session = session_of(*rows, reply(4, HOSTILE), boundary(5), summary(6, HOSTILE), user(7, HOSTILE), reply(8, "x"))
    page = report(session)
    reader = read(page)
    assert not {"script", "img"} & {name for name, _ in reader.elements}
    assert b"&lt;script&gt;" in page
    assert not set(page.decode()) & {"\x1b", "\u202e", "\ud800"}


def test_without_calls_or_compactions_that_is_said() -> None:
    said = " ".join(read(report(session_of(user(1, "hi")))).words)
    assert "No API call is recorded in this session." in said and "This session has no compaction." in said


def test_markup_escapes_text_and_attributes_and_keeps_markup() -> None:
    assert tag("p", "<b>", Html("<i></i>"), class_='a"b') == '<p class="a&quot;b">&lt;b&gt;<i></i></p>'
    assert tag("p", class_=None) == "<p></p>" and tag("br") == "<br>"
    assert 'class="n"' in table(("a", "b"), [("1", "2")], numbers=(1,))
