"""Every compaction of every sample is the one that was looked at when it was committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import NAMES, copied
from tests.golden.compacting import FOLDER, PAIRS, golden_run, run_told
from workbench.compaction.variants import VARIANTS


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_compacted_as_before(name: str, samples: Path) -> None:
    for variant in VARIANTS:
        told = run_told(samples, name, variant).decode()
        assert told == golden_run(name, variant).read_text(encoding="utf-8"), (
            f"{variant}: if that is right: python -m tests.golden"
        )


def test_there_is_a_golden_file_for_each_sample_and_variant_and_no_other() -> None:
    assert {*FOLDER.glob("*.json")} == {golden_run(*pair) for pair in PAIRS}


def test_nothing_of_this_machine_is_in_them() -> None:
    here = str(Path.cwd())
    assert not [path.name for path in FOLDER.glob("*.json") if here in path.read_text(encoding="utf-8")]
