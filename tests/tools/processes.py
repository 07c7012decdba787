"""What other processes cost, read from outside: wall time, and the peak of resident memory.

Linux only. The peak comes from VmHWM, which belongs to the running program alone; the maximum `wait4` reports would begin
at the size of the test runner the program was forked from.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Peak:
    """Bytes resident at most: the process itself, and each of its descendants, largest first."""

    main: int
    children: tuple[int, ...] = ()


class Family:
    """Samples a process and its descendants; a peak only grows, so a process that has ended keeps its last one."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peaks: dict[int, int] = {}

    def sample(self, *, deep: bool = True) -> None:
        """`deep` looks for descendants too, at the price of a walk over every process of the machine."""
        for pid in (self._pid, *(descendants(self._pid) if deep else ())):
            self._peaks[pid] = max(peak_resident(pid), self._peaks.get(pid, 0))

    @property
    def peak(self) -> Peak:
        children = sorted((size for pid, size in self._peaks.items() if pid != self._pid), reverse=True)
        return Peak(self._peaks.get(self._pid, 0), tuple(children))


def peak_resident(pid: int) -> int:
    """Bytes; 0 once the process has ended."""
    try:
        status = (PROC / str(pid) / "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def descendants(pid: int) -> tuple[int, ...]:
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    queue = [pid]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return tuple(found)


def _parent(entry: Path) -> int | None:
    try:
        stat = (entry / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(stat.rpartition(")")[2].split()[1])


def clean_environment(home: Path) -> dict[str, str]:
    """The environment of a user who has never run the program: nothing inherited but the search path, nothing cached."""
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "LANG": "C.UTF-8",
    }


def seconds_to_run(argv: Sequence[str], environment: Mapping[str, str]) -> float:
    """Wall time from start to exit, output thrown away. Raises CalledProcessError when it does not exit with 0."""
    started = time.perf_counter()
    subprocess.run(argv, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def peak_of_run(argv: Sequence[str], environment: Mapping[str, str], *, every: float = 0.004) -> Peak:
    """Peak of a run to its end, looked at `every` seconds; what it took in the last few ms may be missed."""
    with subprocess.Popen(argv, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        family = Family(process.pid)
        ended = os.pidfd_open(process.pid)
        looks = 0
        while not select.select([ended], [], [], every)[0]:
            family.sample(deep=looks % 10 == 0)
            looks += 1
        os.close(ended)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(argv))
    return family.peak
