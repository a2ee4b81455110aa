"""A memory control group of its own for a test, and what a kill in it gives.

Version 1 or 2, whichever has the memory controller here; a test is skipped
where no group may be made.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time
import uuid

import pytest

import runs

ROOTS = (pathlib.Path("/sys/fs/cgroup/memory"), pathlib.Path("/sys/fs/cgroup"))
DEADLINE_S = 60.0
PYTHON = "/usr/bin/python3"


def _root() -> pathlib.Path | None:
    for root in ROOTS:
        for name in ("memory.limit_in_bytes", "cgroup.subtree_control"):
            if os.access(root / name, os.W_OK):
                return root
    return None


class Group:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        folder.mkdir()
        self.version = 1 if (folder / "memory.limit_in_bytes").exists() else 2

    @property
    def path(self) -> str:
        return "/" + str(self.folder.relative_to(_root()))

    def limit(self, mebibytes: int) -> "Group":
        name = "memory.limit_in_bytes" if self.version == 1 else "memory.max"
        (self.folder / name).write_text(f"{mebibytes << 20}")
        return self

    def below(self, name: str) -> "Group":
        if self.version == 2:
            (self.folder / "cgroup.subtree_control").write_text("+memory")
        return Group(self.folder / name)

    def enter(self) -> None:
        """For preexec_fn."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def kills(self) -> int:
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        words = (self.folder / name).read_text().split()
        return int(words[words.index("oom_kill") + 1])

    def remove(self) -> None:
        deadline = time.monotonic() + 5
        while True:
            try:
                return self.folder.rmdir()
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)


@contextlib.contextmanager
def memory_group(*below: str):
    """The innermost of a chain of groups; `parents` of it come with it."""
    root = _root()
    if root is None:
        pytest.skip("no memory control group may be made here")
    made = []
    try:
        made.append(Group(root / f"sigwhy-test-{uuid.uuid4().hex[:12]}"))
        for name in below:
            made.append(made[-1].below(name))
        yield made if below else made[0]
    finally:
        for group in reversed(made):
            group.remove()


class Supervised:
    """A Python program below sigwhy, which says when it is ready for a kill:
    both the program (a line on stdout) and sigwhy (a fifo)."""

    def __init__(self, program: str, group: Group | None = None,
                 inside: bool = True, without: str = "", user: int = 0,
                 before: tuple[str, ...] = (), env: dict | None = None):
        self._folder = tempfile.TemporaryDirectory(prefix="sigwhy-kill-")
        place = pathlib.Path(self._folder.name)
        place.chmod(0o777)
        self.case_file = place / "case.json"
        fifo = place / "ready"
        os.mkfifo(fifo)
        fifo.chmod(0o666)
        self._ready = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        words = [PYTHON, "-u", "-c", program]
        if group and not inside:
            enter = f"echo $$ > {group.folder}/cgroup.procs; exec \"$@\""
            words = ["/bin/sh", "-c", enter, "sh", *words]
        argv = [*before, runs.SIGWHY, "run", "--json", str(self.case_file),
                "--", *words]
        settings = {"SIGWHY_DIR": str(place / "cases"), "PATH": os.defpath,
                    "SIGWHY_TEST_READY": str(fifo), **(env or {})}
        if without:
            settings["SIGWHY_TEST_WITHOUT"] = without

        def prepare():
            if group and inside:
                group.enter()
            if user:
                os.setgid(user)
                os.setuid(user)

        self._popen = subprocess.Popen(
            argv, env=settings, preexec_fn=prepare, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/")
        self.pid = self._popen.pid

    def wait_until_ready(self) -> "Supervised":
        line = self._popen.stdout.readline()
        assert line == b"ready\n", (line, self._popen.stderr.read())
        assert select.select([self._ready], [], [], DEADLINE_S)[0]
        return self

    def go(self) -> "Supervised":
        self._popen.stdin.write(b"go\n")
        self._popen.stdin.flush()
        return self

    def hears(self, words: bytes) -> None:
        assert self._popen.stdout.readline() == words

    def send(self, number: int) -> None:
        os.kill(self.pid, number)

    def last_words(self) -> str:
        """What was printed, where there is no case."""
        _, err = self._popen.communicate(timeout=DEADLINE_S)
        os.close(self._ready)
        self._folder.cleanup()
        return err.decode()

    def case(self) -> dict:
        try:
            self.out, self.err = self._popen.communicate(timeout=DEADLINE_S)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            raise
        self.status = self._popen.returncode
        try:
            assert self.case_file.exists(), (self.status, self.err)
            return json.loads(self.case_file.read_text())
        finally:
            os.close(self._ready)
            self._folder.cleanup()


def how_it_ended(case: dict) -> dict:
    """The first finding, or what it is the deeper cause of: a leak explains
    the kill for memory."""
    findings = case["diagnosis"]["findings"]
    first = findings[0]
    above = [f for f in findings if f["cause"] == first.get("explains")]
    deeper = first["cause"] not in ("time-limit", "out-of-memory-killed")
    return above[0] if above and deeper else first


def verdict(case: dict) -> str:
    if case["diagnosis"]["verdict"] == "unknown":
        return "unknown"
    finding = how_it_ended(case)
    return f"{finding['cause']} {finding['strength']}"


def told(case: dict) -> str:
    """Everything that is said about how it ended."""
    finding = how_it_ended(case)
    facts = [f["sentence"] for f in finding["for"]]
    return " | ".join([finding["claim"], *facts, finding.get("rival") or ""])
