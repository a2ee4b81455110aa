"""A folder to die in, and the one way in which everything is started there.

The whole session of a run is ended with it: gdb and pools leave children in
process groups of their own.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from case import Unmet

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "lab"), str(ROOT / "tests/crashes")]
from stage import memory_limit, task_limit  # noqa: E402

HANGS_AFTER_S = 30  # far beyond the slowest import
PATIENCE = 4  # with what a case is said to take: the machine may be busy
TEXT_LIMIT = 60_000


@dataclass(frozen=True)
class Ended:
    how: str  # "SIGSEGV", "exit 1", "hang"
    text: str  # standard output and error, as they came
    seconds: float


@dataclass
class Room:
    folder: Path
    case: object
    stage: object
    enter: list  # words that put a command into the case's control group

    @property
    def program(self):
        """The command with its own limits; a tool in front of it has none."""
        limits = [f"--{name}={value}:" for name, value in self.case.limits.items()]
        prefix = ["prlimit", *limits, "--"] if limits else []
        return [*self.enter, *prefix, *self.stage.command]

    def run(self, command, extra_s=0, core=False, on_hang=None, env=None):
        """Runs it to its end; `on_hang(pid)` is called where it must be ended."""
        limit = "unlimited" if core else "0"
        # In the background a shell has these ignored, and programs inherit it.
        command = ["env", "--default-signal=HUP,INT,QUIT",
                   "prlimit", f"--core={limit}", "--", *command]
        output = self.folder / "output"
        wait_s = HANGS_AFTER_S if self.case.hangs else PATIENCE * self.case.timeout_s
        from_s = time.monotonic()
        with open(output, "wb") as sink:
            child = subprocess.Popen(
                command, cwd=self.stage.scratch, stdin=subprocess.DEVNULL, stdout=sink,
                stderr=subprocess.STDOUT, start_new_session=True,
                env={**self.stage.environment, **(env or {})})
            try:
                how = self.wait(child, wait_s + extra_s, on_hang)
            finally:
                end_session(child.pid)
        seconds = round(time.monotonic() - from_s, 2)
        return Ended(how, shortened(output.read_text(errors="replace")), seconds)

    def wait(self, child, wait_s, on_hang):
        try:
            return ending(child.wait(wait_s))
        except subprocess.TimeoutExpired:
            if on_hang:
                on_hang(child.pid)
            end_session(child.pid)
            child.wait()
            return "hang"


@contextlib.contextmanager
def of(case):
    if case.memory_mib and not memory_limit.can_be_made():
        raise Unmet("only root may make a memory control group")
    if case.tasks and not task_limit.can_be_made():
        raise Unmet("only root may make a control group of threads")
    with tempfile.TemporaryDirectory(prefix="accuracy-") as name, \
            memory_limit.of(case.memory_mib) as enter, task_limit.of(case.tasks) as also:
        folder = Path(name)
        yield Room(folder, case, case.prepare(folder), enter + also)


def ending(returncode):
    if returncode < 0:
        return signal.Signals(-returncode).name
    return f"exit {returncode}"


def end_session(leader):
    for pid in members(leader):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def members(session):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if os.getsid(int(entry.name)) == session:
                    found.append(int(entry.name))
    return found


def interpreters(session):
    """Those of a session that are Python, oldest first: whom to ask in a hang."""
    found = []
    for pid in sorted(members(session)):
        with contextlib.suppress(OSError):
            if "python" in Path(os.readlink(f"/proc/{pid}/exe")).name:
                found.append(pid)
    return found


def shortened(text):
    if len(text) <= TEXT_LIMIT:
        return text
    half = TEXT_LIMIT // 2
    return text[:half] + "\n[...]\n" + text[-half:]
