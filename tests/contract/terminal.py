"""A real pseudo-terminal with an interactive bash on it, and a typist.

The command under test is typed as `$RUN program`, with RUN empty or `sigwhy
run --quiet --`: bash shows jobs as they were typed, so that what it says can
be compared word for word. The terminal's own echo is off.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PROMPT = b"<at your service>"
CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = b"\x03", b"\x04", b"\x1a", b"\x1c"


class Terminal:
    """A program (bash, unless told otherwise) on a terminal of its own."""

    def __init__(self, argv, environment, folder, rows=24, columns=80):
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, size(rows, columns))
                os.chdir(folder)
                os.execvpe(argv[0], [os.fspath(a) for a in argv], environment)
            finally:
                os._exit(127)
        self._seen = b""

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size(rows, columns))

    def until(self, words: bytes, timeout_s: float = 20.0) -> str:
        """All that was shown up to and with these words."""
        deadline = time.monotonic() + timeout_s
        while words not in self._seen:
            left_s = deadline - time.monotonic()
            ready = left_s > 0 and select.select(
                [self._master], [], [], left_s)[0]
            chunk = self._read() if ready else b""
            assert chunk, f"waited for {words!r}, saw {self._seen!r}"
            self._seen += chunk
        shown, self._seen = self._seen.split(words, 1)
        return (shown + words).decode(errors="replace").replace("\r\n", "\n")

    def _read(self) -> bytes:
        try:
            return os.read(self._master, 65536)
        except OSError:  # EIO: nobody has the other end open any more
            return b""

    def hang_up(self) -> None:
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def close(self) -> None:
        self.hang_up()
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


class Shell(Terminal):
    """An interactive bash that answers each command by its output."""

    def __init__(self, way, environment, folder):
        environment = {**environment, "RUN": " ".join(way.prefix),
                       "PS1": PROMPT.decode(), "HISTFILE": "/dev/null",
                       "TERM": "dumb"}
        super().__init__(["bash", "--norc", "--noprofile", "--noediting",
                          "-i"], environment, folder)
        self.until(PROMPT)
        self.command("stty -echo")

    def command(self, words: str) -> str:
        self.type(words.encode() + b"\n")
        return self.answer()

    def answer(self) -> str:
        """What is shown up to the next prompt, with pids left out."""
        shown = self.until(PROMPT).removesuffix(PROMPT.decode())
        return re.sub(r"^(\[\d+\]\+?) +\d+", r"\1 PID", shown, flags=re.M)

    def job_state(self, wanted: str, timeout_s: float = 10.0) -> str:
        """Asks `jobs -l` until job 1 is shown in the wanted state."""
        deadline = time.monotonic() + timeout_s
        while True:
            lines = [line for line in self.command("jobs -l").splitlines()
                     if line.startswith("[1]+ PID") and wanted in line]
            if lines:
                return lines[-1]
            assert time.monotonic() < deadline, f"job 1 is never {wanted}"


def on_screen(shown: str, columns: int) -> list[str]:
    """The lines that a terminal of this width makes of what was written: it
    wraps at its edge, but only when one more character comes."""
    lines, at = [[]], 0
    for character in re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown):
        if character == "\r":
            at = 0
        elif character == "\n":
            lines.append([])
            at = 0
        else:
            if at == columns:
                lines.append([])
                at = 0
            lines[-1][at:at + 1] = [character]
            at += 1
    return ["".join(line) for line in lines]


def size(rows: int, columns: int) -> bytes:
    return struct.pack("HHHH", rows, columns, 0, 0)
