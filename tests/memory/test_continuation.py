"""The message a compacted conversation goes on with (spec 1, section 8.4)."""

from workbench.memory.continuation import GO_ON, OPENING, TAIL, continuation


def test_it_carries_the_summary_and_the_way_back_to_the_transcript() -> None:
    text = continuation(" notes \n", "/home/u/s.jsonl", tail_follows=False, go_on=False)
    assert text.startswith(OPENING + "\n\nnotes\n\n")
    assert text.endswith(": /home/u/s.jsonl")


def test_a_kept_tail_and_an_automatic_run_are_said() -> None:
    text = continuation("notes", None, tail_follows=True, go_on=True)
    assert text == "\n\n".join((OPENING, "notes", TAIL, GO_ON))
