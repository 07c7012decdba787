"""Every figure of every sample is the one that was looked at when it was committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import HERE, NAMES, copied, golden, told


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", NAMES)
def test_inspect_tells_of_a_sample_what_it_told_before(name: str, samples: Path) -> None:
    assert told(samples, name).decode() == golden(name).read_text(), "if that is right: python -m tests.golden"


def test_there_is_a_golden_file_for_each_sample_and_no_other() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == set(NAMES)


def test_nothing_of_this_machine_is_in_them() -> None:
    assert not [name for name in NAMES if '"path": "/' in golden(name).read_text()]
