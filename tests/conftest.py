"""What every test stands on: no network, nothing of whoever runs it, a home of its own, the same examples every time.

WORKBENCH_SHARED=FOLDER  real sessions and cases; without it the tests that take the fixture `shared` are skipped
WORKBENCH_FULL=1         no matrix sampled; many more generated examples, other ones each time
WORKBENCH_BENCH...       see tests/benchmarks
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from tests.summarizers.fake_api import FakeApi

FULL = os.environ.get("WORKBENCH_FULL") == "1"

DECIDES = ("CLAUDE*", "ANTHROPIC_*", "DISABLE_*COMPACT*", "WORKBENCH_*", "TEXTUAL*", "XDG_*", "*_PROXY", "EDITOR", "VISUAL")
OURS = ("WORKBENCH_SHARED", "WORKBENCH_FULL", "WORKBENCH_BENCH*", "TEXTUAL_SNAPSHOT_TEMPDIR")  # the last: pictures, on every core
OF_THE_TERMINAL = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES")
"""Pytest itself goes by these, so they are taken from the tests only."""

ADDRESSES = {"socket.connect": 1, "socket.bind": 1, "socket.sendto": 1, "socket.sendmsg": 1}
HOSTS = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}
"""Events of the interpreter, and which of their arguments names the other side."""
HERE = (None, "", "localhost", "127.0.0.1", "::1")

BASE = pytest.StashKey[Path]()
HOMES = count(1)

SLOW_MACHINE = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
"""A test that fails only while the cores are busy says nothing."""
hypothesis.settings.register_profile("default", derandomize=True, database=None, max_examples=50, **SLOW_MACHINE)
hypothesis.settings.register_profile("full", max_examples=1000, **SLOW_MACHINE)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before anything is collected: modules of the product and of Textual read the environment when they are imported."""
    for name in [each for each in os.environ if decides(each)]:
        del os.environ[name]
    config.stash[BASE] = Path(tempfile.mkdtemp(prefix="workbench-tests-"))
    os.environ.update(home(config.stash[BASE]), TEXTUAL_ANIMATIONS="none", TZ="UTC")
    time.tzset()
    if "textual.constants" in sys.modules:  # loaded by the plugin for pictures, before this file
        importlib.reload(sys.modules["textual.constants"])
    hypothesis.settings.load_profile("full" if FULL else "default")
    sys.addaudithook(refuse_the_network)


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[BASE], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = FULL or os.environ.get("WORKBENCH_LONG") == "1" or "long" in (config.getoption("markexpr") or "")
    for item in items:
        if item.get_closest_marker("long") and not long:
            item.add_marker(pytest.mark.skip(reason="long flows of the screen run in .ci/run, or with -m long"))
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Bytes that are no text go by their length. What gzip makes holds the time, and a test has one name in every process."""
    return f"{len(val)} bytes" if isinstance(val, bytes) and not (val.isascii() and val.decode().isprintable()) else None


@pytest.fixture(autouse=True)
def own_home(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home in which nobody has run the program; counts of tokens alone are remembered from test to test."""
    for name, folder in home(pytestconfig.stash[BASE] / str(next(HOMES))).items():
        if name != "WORKBENCH_CACHE_DIR":
            monkeypatch.setenv(name, folder)
    for name in OF_THE_TERMINAL:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real sessions and cases that the product is held against; data, never to be copied from."""
    folder = os.environ.get("WORKBENCH_SHARED")
    if not folder or not Path(folder).is_dir():
        pytest.skip("WORKBENCH_SHARED names no folder")
    return Path(folder)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    """A Messages API on this machine, which the environment names as the one to ask."""
    from tests.summarizers.fake_api import serving

    with serving() as fake:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield fake


def decides(name: str) -> bool:
    """Whether a variable of the environment may change what the product does, and so what a test sees."""
    return any(fnmatch(name.upper(), each) for each in DECIDES) and not any(fnmatch(name, each) for each in OURS)


def home(folder: Path) -> dict[str, str]:
    """Variables that place everything a user has into a folder, which is made."""
    folder.mkdir(exist_ok=True)
    places = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA", "STATE")}
    return {"HOME": str(folder), **places, "WORKBENCH_CACHE_DIR": str(folder / "cache" / "workbench")}


def refuse_the_network(event: str, arguments: tuple[object, ...]) -> None:
    """Fails whichever test reaches past this machine; sockets of the file system have no host and may be used."""
    if event in ADDRESSES:
        address = arguments[ADDRESSES[event]]
        host = address[0] if isinstance(address, tuple) and address else None
    elif event in HOSTS:
        host = arguments[HOSTS[event]]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in HERE:
        pytest.fail(f"a test reached for the network: {event} {host}")
