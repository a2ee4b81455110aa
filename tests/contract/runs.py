"""Running one program twice: bare, and below `sigwhy run --`.

The contract is that nobody can tell the two apart. So a test names a program
once, runs it both ways through a Stage and compares the ends. An end is the
raw wait status (it alone carries the core flag), both outputs up to their end
of file, and the pid that the caller was given. The report is the one thing
that may be added: it begins at a line that starts with `sigwhy:`.

Every process of a run carries the stage's mark in its environment, whoever
its parent is by then; that is how what a run left behind is found.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

import proc_files

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SIGWHY = os.path.abspath(
    os.environ.get("SIGWHY_BIN", REPOSITORY / "build" / "sigwhy"))
MARK = "CONTRACT_MARK"
DEADLINE_S = 30.0
# A pipe ends with its last holder, and after the program nobody may hold one.
PIPE_END_S = 5.0


@dataclasses.dataclass(frozen=True)
class Way:
    """How a program is started: what stands in front of its own words."""
    name: str
    prefix: tuple[str, ...]


BARE = Way("bare", ())


def under(*options: str) -> Way:
    return Way(" ".join(("under", *options)),
               (SIGWHY, "run", *options, "--"))


UNDER = under()
QUIETLY = under("--quiet")


@dataclasses.dataclass(frozen=True)
class Ending:
    status: int
    out: bytes
    err: bytes
    pid: int

    @property
    def signal(self) -> int:
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    @property
    def code(self) -> int | None:
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) \
            else None

    @property
    def dumped_core(self) -> bool:
        return os.WCOREDUMP(self.status)

    def _report_at(self) -> int:
        if self.err.startswith(b"sigwhy:"):
            return 0
        for line_start in (b"\nsigwhy:", b"\rsigwhy:"):
            at = self.err.find(line_start)
            if at >= 0:
                return at + 1
        return len(self.err)

    @property
    def report(self) -> str:
        return self.err[self._report_at():].decode(errors="replace")

    @property
    def own_err(self) -> bytes:
        """What the program said. A report begins on a fresh line, so a line
        end may have been added between."""
        said = self.err[:self._report_at()]
        return said.rstrip(b"\r\n") if self.report else said

    def told(self) -> str:
        how = f"signal {self.signal}" if self.signal else f"exit {self.code}"
        core = ", core dumped" if self.dumped_core else ""
        return (f"{how}{core} (status {self.status:#06x})\n"
                f"out: {self.out[-2000:]!r}\nerr: {self.err[-2000:]!r}")


def assert_same_end(bare: Ending, other: Ending) -> None:
    bare_err = bare.err.rstrip(b"\r\n") if other.report else bare.err
    same = (bare.status == other.status and bare.out == other.out
            and bare_err == other.own_err)
    assert same, f"bare:\n{bare.told()}\nunder sigwhy:\n{other.told()}"


def unlimited_core() -> None:
    """For preexec_fn: the program may dump a core as large as it likes."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


class Tap:
    """Drains one pipe in the background and lets a test wait for words."""

    def __init__(self, stream):
        self._stream = stream
        self._bytes = bytearray()
        self._ended = False
        self._news = threading.Condition()
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        with self._stream:
            while chunk := os.read(self._stream.fileno(), 65536):
                with self._news:
                    self._bytes += chunk
                    self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def bytes(self) -> bytes:
        with self._news:
            return bytes(self._bytes)

    def wait_for(self, words: bytes, timeout_s: float = DEADLINE_S) -> bytes:
        with self._news:
            self._news.wait_for(lambda: words in self._bytes or self._ended,
                                timeout_s)
            assert words in self._bytes, \
                f"waited for {words!r}, got {bytes(self._bytes)!r}"
            return bytes(self._bytes)

    def at_end(self, timeout_s: float = PIPE_END_S) -> bytes:
        with self._news:
            ended = self._news.wait_for(lambda: self._ended, timeout_s)
            assert ended, (f"no end of file within {timeout_s} s; "
                           f"got {bytes(self._bytes)[-2000:]!r}")
            return bytes(self._bytes)


class Running:
    """A started program. The caller's child is `pid`; its end is asked of the
    kernel itself, so that the status comes undecoded."""

    def __init__(self, argv, **popen):
        for name in ("stdin", "stdout", "stderr"):
            popen.setdefault(name, subprocess.PIPE)
        self._popen = subprocess.Popen(argv, **popen)
        self.pid = self._popen.pid
        self.stdin = self._popen.stdin
        self.out = Tap(self._popen.stdout) if self._popen.stdout else None
        self.err = Tap(self._popen.stderr) if self._popen.stderr else None
        self._pidfd = os.pidfd_open(self.pid)
        self._status: int | None = None

    def tell(self, words: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.stdin.write(words)
            self.stdin.flush()

    def send(self, signal_number: int) -> None:
        signal.pidfd_send_signal(self._pidfd, signal_number)

    def status(self, timeout_s: float = DEADLINE_S) -> int:
        if not self._reaped_within(timeout_s):
            state = proc_files.status(self.pid)
            self.end()
            raise AssertionError(
                f"{self._popen.args} did not end within {timeout_s} s; "
                f"state {state.get('State')}, "
                f"TracerPid {state.get('TracerPid')}")
        return self._status

    def _reaped_within(self, timeout_s: float) -> bool:
        """A tracer may hold the zombie: its pidfd is ready then, but its
        parent is not told yet. So the wait is for the status itself."""
        deadline = time.monotonic() + timeout_s
        select.select([self._pidfd], [], [], timeout_s)
        while self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = status
                self._popen.returncode = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                return False
            else:
                time.sleep(0.0005)
        return True

    def ending(self, timeout_s: float = DEADLINE_S) -> Ending:
        if self.stdin and not self.stdin.closed:
            self.stdin.close()
        status = self.status(timeout_s)
        return Ending(status, self.out.at_end() if self.out else b"",
                      self.err.at_end() if self.err else b"", self.pid)

    def end(self) -> None:
        """Kill it if it still lives; for teardown."""
        if self._pidfd < 0:
            return
        if self._status is None:
            self.send(signal.SIGKILL)
            self._reaped_within(2.0)
        os.close(self._pidfd)
        self._pidfd = -1


class Stage:
    """One test's own folder, environment and mark."""

    def __init__(self, folder: pathlib.Path, mark: str):
        self.folder = folder
        self.mark = mark
        self.cases = folder / "cases"
        self._started: list[Running] = []
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith("SIGWHY")}
        self.environment.update({
            MARK: mark, "SIGWHY_DIR": str(self.cases),
            "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
            "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "/usr/bin")})

    def start(self, way: Way, *argv, launcher=(), **popen) -> Running:
        popen.setdefault("cwd", self.folder)
        popen.setdefault("env", self.environment)
        words = [os.fspath(word) for word in (*launcher, *way.prefix, *argv)]
        running = Running(words, **popen)
        self._started.append(running)
        return running

    def run(self, way: Way, *argv, told: bytes = b"",
            timeout_s: float = DEADLINE_S, **popen) -> Ending:
        running = self.start(way, *argv, **popen)
        if told:
            running.tell(told)
        return running.ending(timeout_s)

    def both(self, *argv, other: Way = UNDER, **kw) -> tuple[Ending, Ending]:
        return self.run(BARE, *argv, **kw), self.run(other, *argv, **kw)

    def same(self, *argv, other: Way = UNDER, **kw) -> tuple[Ending, Ending]:
        """Both ends, and they are the same but for a report."""
        bare, below = self.both(*argv, other=other, **kw)
        assert_same_end(bare, below)
        return bare, below

    def with_environment(self, **changes) -> dict[str, str]:
        changed = {**self.environment, **changes}
        return {k: v for k, v in changed.items() if v is not None}

    def alive(self) -> list[int]:
        return proc_files.marked(MARK, self.mark)

    def close(self, gone_within_s: float = 2.0) -> list[str]:
        """End everything; return what had outlived its run by itself."""
        for running in self._started:
            running.end()
        deadline = time.monotonic() + gone_within_s
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.01)
        left = [proc_files.described(pid) for pid in self.alive()]
        for pid in self.alive():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return left


@contextlib.contextmanager
def open_stage():
    """A stage, and at its end the check that nothing outlived its runs: the
    supervisor has two seconds to be gone, whatever else a test found."""
    # Not pytest's own temporary folder: an ordinary user may not enter that.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="contract-"))
    folder.chmod(0o755)
    stage = Stage(folder, uuid.uuid4().hex)
    try:
        yield stage
    finally:
        left = stage.close()
        shutil.rmtree(folder, ignore_errors=True)
    assert not left, "left behind:\n" + "\n".join(left)
