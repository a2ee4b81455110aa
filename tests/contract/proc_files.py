"""Looking at processes from outside, through /proc and nothing else.

The supervisor is found as the kernel names it: the TracerPid of the program.
Everything may vanish between two reads, so a file that is gone reads as empty.
"""

from __future__ import annotations

import os
import time


def text(pid: int, name: str) -> str:
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def status(pid: int) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in text(pid, "status").splitlines())
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}


def state(pid: int) -> str:
    """One letter as in ps; empty when the process is gone."""
    return status(pid).get("State", "")[:1]


def exists(pid: int) -> bool:
    return state(pid) not in ("", "Z", "X")


def tracer(pid: int) -> int:
    return int(status(pid).get("TracerPid", "0"))


def parent(pid: int) -> int:
    return int(status(pid).get("PPid", "0"))


def every_pid() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def marked(variable: str, mark: str) -> list[int]:
    """Living processes whose environment carries the mark."""
    wanted = f"{variable}={mark}"
    return [pid for pid in every_pid() if pid != os.getpid()
            and wanted in text(pid, "environ").split("\0") and exists(pid)]


def is_sigwhy(pid: int) -> bool:
    try:
        program = os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return False
    return os.path.basename(program).startswith("sigwhy")


def described(pid: int) -> str:
    facts = status(pid)
    words = text(pid, "cmdline").replace("\0", " ").strip()
    return (f"pid {pid} ({facts.get('Name')}, {facts.get('State')}, parent "
            f"{facts.get('PPid')}, tracer {facts.get('TracerPid')}): {words}")


def eventually(condition, timeout_s: float = 10.0, what: str = "") -> None:
    """Bounded polling, for what the kernel offers no event for."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, \
            f"not within {timeout_s} s: {what or condition}"
        time.sleep(0.002)
