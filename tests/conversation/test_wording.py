"""Numbers with their nouns."""

import pytest

from workbench.conversation.wording import counted


@pytest.mark.parametrize(
    ("count", "one", "more", "words"),
    [
        (0, "row", "", "0 rows"),
        (1, "row", "", "1 row"),
        (2, "row", "", "2 rows"),
        (1234, "damaged line", "", "1,234 damaged lines"),
        (1, "boundary", "boundaries", "1 boundary"),
        (2, "boundary", "boundaries", "2 boundaries"),
    ],
)
def test_a_number_and_its_noun_agree(count: int, one: str, more: str, words: str) -> None:
    assert counted(count, one, more) == words
