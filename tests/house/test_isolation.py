"""The ground under the tests: what they can reach, and whose settings they see."""

import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from textual import constants


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80, 0, 0)])
def test_a_connection_to_another_machine_fails_the_test(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
    with socket.socket(family) as outward, pytest.raises(pytest.fail.Exception, match="reached for the network"):
        outward.connect(address)


def test_a_datagram_to_another_machine_fails_the_test() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as outward, pytest.raises(pytest.fail.Exception, match="reached for the network"):
        outward.sendto(b"hello", ("192.0.2.1", 53))


def test_looking_up_a_name_fails_the_test() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"reached for the network: .* example\.org"):
        socket.getaddrinfo("example.org", 443)


def test_this_machine_may_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_sockets_of_the_file_system_may_be_used(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "socket"))
        server.listen()
        client.connect(str(tmp_path / "socket"))


def test_home_is_empty_and_nobody_s() -> None:
    assert list(Path.home().iterdir()) == []
    assert Path.home() != Path(pwd.getpwuid(os.getuid()).pw_dir)


def test_nothing_that_is_animated_has_to_be_waited_for() -> None:
    assert constants.TEXTUAL_ANIMATIONS == "none"


THEIRS = {
    "ANTHROPIC_API_KEY": "theirs",
    "CLAUDE_CONFIG_DIR": "/",
    "DISABLE_AUTO_COMPACT": "1",
    "DISABLE_COMPACT": "1",
    "NO_COLOR": "1",
    "TEXTUAL_THEME": "nord",
    "WORKBENCH_SETTINGS": "/",
    "https_proxy": "http://192.0.2.1",
}
LOOK = f"""
import os
from textual import constants

def test_environment():
    assert not {set(THEIRS)} & set(os.environ)
    assert os.environ["WORKBENCH_SHARED"] == "/"
    assert constants.DEFAULT_THEME != "nord"
"""


def test_settings_of_whoever_runs_the_tests_are_not_seen(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((Path(__file__).parents[1] / "conftest.py").read_text())
    (tmp_path / "test_environment.py").write_text(LOOK)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    environment = {**os.environ, **THEIRS, "WORKBENCH_SHARED": "/"}
    done = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
