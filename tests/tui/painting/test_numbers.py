"""Numbers read the same everywhere on the screen."""

import pytest

from workbench.tui.painting.numbers import mebibytes, short, thousands


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1K"),
        (1_234, "1.2K"),
        (9_960, "10K"),
        (155_000, "155K"),
        (999_499, "999K"),
        (999_600, "1M"),
        (1_200_000, "1.2M"),
        (-155_000, "-155K"),
        (2_000_000_000, "2G"),
    ],
)
def test_short_numbers(count: int, shown: str) -> None:
    assert short(count) == shown


def test_thousands_are_grouped() -> None:
    assert thousands(1_234_567) == "1,234,567"


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (4096, "4.0 KB"), (4_100_000, "3.9 MB"), (1 << 30, "1.0 GB")]
)
def test_bytes_have_a_unit(size: int, shown: str) -> None:
    assert mebibytes(size) == shown
