"""A cache folder of its own for every run, tiktoken itself as the oracle, and children with something broken in them."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.counting import vocabulary
from workbench.counting.counter import Counter


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_cache(session_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(session_cache))


@pytest.fixture
def counter() -> Iterator[Counter]:
    with Counter() as counter:
        yield counter


@pytest.fixture(scope="session")
def oracle(session_cache: Path) -> Callable[[str], int]:
    """Tokens by tiktoken, loaded in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(vocabulary.install(session_cache / "tiktoken")))
        import tiktoken

        encoding = tiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


@pytest.fixture
def in_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Puts a module in front of the installed ones, for processes started from here on."""

    def put(module: str, source: str) -> None:
        folder = tmp_path / "modules"
        folder.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(source)
        inherited = os.environ.get("PYTHONPATH", "")
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(folder), inherited))))

    return put
