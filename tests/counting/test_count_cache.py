"""The cache: it spares the child, it stays small, and no state of its file stops the counting."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from workbench.counting.cache import CountCache, key, shared
from workbench.counting.counter import Counter
from workbench.counting.faults import CounterClosed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "counts" / "tokens.sqlite3"


def test_what_was_counted_once_needs_no_child(path: Path) -> None:
    with Counter(CountCache(path)) as counter:
        first = counter.count(["hello world", "\ud83d half", "again"])
    assert counter.pid is None
    assert counter.count(["again", "\ud83d half", "hello world"]) == first[::-1]
    with pytest.raises(CounterClosed):
        counter.count(["hello world", "never seen"])
    with Counter(CountCache(path)) as reopened:
        assert reopened.count(["hello world"]) == [2]
        assert reopened.pid is None


def test_thousands_of_texts_are_looked_up_together(path: Path) -> None:
    counts = {key(str(number)): number for number in range(5_000)}
    CountCache(path).store(counts)
    assert CountCache(path).load([*counts, key("unknown")]) == counts


def test_the_oldest_counts_give_way(path: Path) -> None:
    cache = CountCache(path, limit=100)
    for number in range(0, 300, 50):
        cache.store({key(str(each)): each for each in range(number, number + 50)})
    kept = cache.load([key(str(number)) for number in range(300)])
    assert sorted(kept.values()) == list(range(200, 300))


def test_a_damaged_file_is_named_once_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 1_000)
    with Counter(CountCache(path)) as counter:
        assert counter.count(["hello world"]) == [2]
        assert counter.count(["hello world"]) == [2]
        (notice,) = counter.notices()
        assert str(path) in notice and "not being remembered" in notice
        assert counter.notices() == ()
    assert path.read_bytes().startswith(b"this is no database")


def test_a_locked_file_does_not_stop_the_counting(path: Path) -> None:
    CountCache(path).store({key("x"): 1})
    with closing(sqlite3.connect(path)) as other, Counter(CountCache(path)) as counter:
        other.execute("BEGIN EXCLUSIVE")
        assert counter.count(["hello world"]) == [2]
        assert "locked" in " ".join(counter.notices())


def test_a_folder_that_cannot_be_made_does_not_stop_the_counting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = CountCache(tmp_path / "file" / "counts.sqlite3")
    cache.store({key("x"): 1})
    assert cache.load([key("x")]) == {}
    assert cache.problem


def test_figures_of_the_slower_engine_are_not_kept(path: Path, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "raise ImportError\n")
    with Counter(CountCache(path)) as counter:
        assert counter.count(["hello world"]) == [2]
    assert CountCache(path).load([key("hello world")]) == {}


def test_the_shared_cache_lives_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "mine"))
    shared().store({key("x"): 1})
    assert [found.name for found in (tmp_path / "mine").iterdir()] == ["tokens-o200k.sqlite3"]
