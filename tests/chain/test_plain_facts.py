"""When the process that works out a death dies or hangs itself, the supervisor prints what it knows."""
import shutil
import signal

import pytest
from conftest import SIGWHY


@pytest.fixture
def front_with(bench):
    def make(script):
        front = bench.folder / "front/sigwhy"
        front.parent.mkdir()
        shutil.copy(SIGWHY, front)
        developer = front.parent / "sigwhy-develop"
        developer.write_text(script)
        developer.chmod(0o755)
        return front
    return make


def check(run):
    assert run.status == -signal.SIGSEGV
    assert "null_reader died of SIGSEGV (exit 139)" in run.err
    assert "UNKNOWN  what is certain: thread" in run.err


def test_developer_dies(bench, null_reader, front_with):
    check(bench.run(null_reader, binary=front_with("#!/bin/sh\nkill -SEGV $$\n")))


def test_developer_says_nothing(bench, null_reader, front_with):
    check(bench.run(null_reader, binary=front_with("#!/bin/sh\nexit 0\n")))


def test_developer_missing(bench, null_reader, front_with):
    front = front_with("")
    (front.parent / "sigwhy-develop").unlink()
    check(bench.run(null_reader, binary=front))


@pytest.mark.long
def test_developer_hangs(bench, null_reader, front_with):
    check(bench.run(null_reader, binary=front_with("#!/bin/sh\nexec sleep 1000\n")))
