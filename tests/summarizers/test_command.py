"""A program as the summarizer: what it is given, and how it may end."""

import os
import select
import shlex
import sys
import threading

import pytest

from workbench.compaction.request import CANCELLED, EMPTY, ERROR, OK, Request
from workbench.summarizers.command import command_summarizer, run_command


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


ECHO = python("import sys; sys.stdout.write(sys.stdin.read().upper())")
WAITS = python("import sys; print('begun', flush=True); sys.stdin.read(); input()")


def test_it_gets_the_prompt_and_gives_the_summary():
    reply = run_command(ECHO, "all of it é")
    assert (reply.outcome, reply.text) == (OK, "ALL OF IT É")
    assert reply.source.startswith("command ")
    assert reply.duration_ms is not None


def test_a_prompt_of_megabytes_goes_through():
    reply = run_command(python("import sys; print(len(sys.stdin.read()))"), "x" * 3_000_000)
    assert reply.text.strip() == "3000000"


def test_a_program_that_reads_nothing_is_fine():
    assert run_command(python("print('summary')"), "x" * 300_000).text == "summary\n"


def test_the_request_is_told_in_words():
    ask = command_summarizer(ECHO)
    reply = ask(Request("summary", "summary:0", "the summary", (), "Write it."))
    assert reply.text.endswith("WRITE IT.\n")
    assert reply.text.startswith("<CONVERSATION>")


@pytest.mark.parametrize(
    ("command", "outcome", "words"),
    [
        (python("import sys; sys.exit('no licence')"), ERROR, "ended with status 1: no licence."),
        (python("import os; os.abort()"), ERROR, "ended by signal"),
        (python("pass"), EMPTY, "wrote nothing"),
        (python("import sys; sys.stderr.write('quota')"), EMPTY, "it said: quota"),
        ("/nowhere/such-a-program -p", ERROR, "/nowhere/such-a-program cannot be run: no such file"),
        ("agent 'open", ERROR, "check its quotes"),
        ("  ", ERROR, "write command:CMD"),
    ],
)
def test_each_end_has_a_name(command, outcome, words):
    reply = run_command(command, "prompt")
    assert reply.outcome == outcome
    assert words in reply.error


def test_no_shell_looks_at_it():
    reply = run_command(f"{python('import sys; print(sys.argv[1:])')} $HOME '; echo' `id`", "")
    assert reply.text.strip() == "['$HOME', '; echo', '`id`']"


def test_one_that_takes_too_long_is_stopped():
    reply = run_command(python("import threading; threading.Event().wait()"), "", timeout=0.2)
    assert reply.outcome == ERROR
    assert "gave no answer within 0.2 s" in reply.error


def test_a_cancel_stops_it_and_what_it_started():
    cancelled = threading.Event()
    child = python("import threading; threading.Event().wait()")
    parent = python(f"import subprocess, shlex; subprocess.run(shlex.split({child!r}))")
    cancelled.set()
    reply = run_command(parent, "", cancelled=cancelled.is_set)
    assert reply.outcome == CANCELLED
    assert "was stopped" in reply.error


def test_one_that_never_stops_writing_is_stopped_and_named():
    reply = run_command(python("while True: print('y' * 4096)"), "")
    assert (reply.outcome, reply.text) == (ERROR, "")
    assert "wrote more than 4 MB, which is no summary, and was stopped" in reply.error


def test_what_it_complains_of_without_end_is_no_summary_and_fills_nothing():
    reply = run_command(python("import sys; sys.stderr.write('no ' * 3_000_000); print('summary')"), "")
    assert (reply.outcome, reply.text) == (OK, "summary\n")


def test_breaking_off_by_hand_ends_it_and_what_it_started(tmp_path):
    """^C comes as an exception wherever the program is waited for; a pipe ends when the last who holds it has ended."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    child = python(
        f"import threading; held = open({str(pipe)!r}, 'w'); print('x', file=held, flush=True); threading.Event().wait()"
    )
    parent = python(f"import subprocess, shlex; subprocess.run(shlex.split({child!r}))")

    def broken_off():
        if select.select([held], [], [], 0)[0] and os.read(held, 16):
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run_command(parent, "", timeout=20, cancelled=broken_off)
    assert select.select([held], [], [], 10)[0] and os.read(held, 16) == b""
    os.close(held)
