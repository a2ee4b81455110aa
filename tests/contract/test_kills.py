"""SIGKILL names nobody: the kernel for memory, another process, or a scheduler
that had asked before? Told apart by real kills in real control groups.
"""

import os
import shutil
import signal
import subprocess
import time

import pytest

import memory_group
import runs
from memory_group import Supervised, told, verdict

HOG = """
import numpy, sys
print('ready')
sys.stdin.readline()
batches = []
def load():
    while True:
        batches.append(numpy.ones((512, 1024)))
load()
"""
QUIET = """
import sys
print('ready')
sys.stdin.readline()
"""
STUBBORN = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: print('asked'))
print('ready')
while True: time.sleep(60)
"""
WORKER = """
import os, sys, time
print('ready')
sys.stdin.readline()
worker = os.fork()
if worker == 0:
    time.sleep(0.2)   # a worker lives a while before its memory is full
    batches = []
    while True: batches.append(b'x' * (4 << 20))
status = os.waitpid(worker, 0)[1]
raise RuntimeError('DataLoader worker (pid %d) is killed by signal' % worker)
"""
UNSEEN = "log tracepoint"
NOBODY = 65534


def out_of_memory(**how):
    with memory_group.memory_group() as group:
        run = Supervised(HOG, group.limit(120), **how).wait_until_ready().go()
        return run.case(), group.path


def killed(**how):
    run = Supervised(QUIET, **how).wait_until_ready()
    run.send(signal.SIGKILL)
    return run.case()


GRACE_S = 0.4  # what a program is given to end by itself


def asked_then_killed(**how):
    run = Supervised(STUBBORN, **how).wait_until_ready()
    run.send(signal.SIGTERM)
    run.hears(b"asked\n")
    time.sleep(GRACE_S)
    run.send(signal.SIGKILL)
    return run.case()


def tell_apart():
    case, path = out_of_memory()
    assert verdict(case) == "out-of-memory-killed proven", told(case)
    assert f"at the 120 MiB of control group {path}" in told(case)
    case = killed()
    assert verdict(case) == "killed-by-process proven", told(case)
    assert case["snapshot"]["termination"]["sender"]["pid"] == os.getpid()
    assert "asked_before" not in case["snapshot"]["termination"]
    case = asked_then_killed()
    assert verdict(case) == "time-limit strong", told(case)
    asked = case["snapshot"]["termination"]["asked_before"]
    assert asked["signal_name"] == "SIGTERM"
    assert asked["reaction"] == "handled"
    assert asked["sender"]["pid"] == os.getpid()
    assert "asked it to end with SIGTERM" in told(case)


def test_told_apart():
    for _ in range(3):
        tell_apart()


@pytest.mark.long
def test_told_apart_every_time():
    for _ in range(20):
        tell_apart()


def test_the_kill_shows_line_and_arrays():
    case, _ = out_of_memory()
    frames = case["snapshot"]["threads"][0]["python"]
    assert "load" in [f["function"] for f in frames]
    assert any(a["shape"] == [512, 1024] for a in case["snapshot"]["arrays"])


def test_counters_alone_as_an_ordinary_user():
    case, _ = out_of_memory(user=NOBODY, without=UNSEEN)
    assert verdict(case) == "out-of-memory-killed proven", told(case)
    assert "no other process of the group has died" in told(case)
    case = killed(user=NOBODY, without=UNSEEN)
    assert verdict(case) == "killed-by-process strong", told(case)
    assert "not by the kernel for memory" in told(case)
    case = asked_then_killed(user=NOBODY, without=UNSEEN)
    assert verdict(case) == "time-limit strong", told(case)
    assert "SIGTERM" in told(case)


def test_sigwhy_outside_of_the_group():
    case, path = out_of_memory(inside=False)
    assert verdict(case) == "out-of-memory-killed proven", told(case)
    assert path in told(case)


def test_the_parent_group_has_the_limit():
    with memory_group.memory_group("inner") as (outer, inner):
        outer.limit(120)
        for without in ("", UNSEEN):
            run = Supervised(HOG, inner, without=without)
            case = run.wait_until_ready().go().case()
            assert verdict(case) == "out-of-memory-killed proven", told(case)
            assert f"the 120 MiB of the parent group {outer.path}" \
                in told(case)
            groups = case["snapshot"]["memory_bounds"]["groups"]
            assert [g["path"] for g in groups[:2]] == [inner.path, outer.path]
            assert "limit_bytes" not in groups[0]


class Neighbour:
    """Somebody else in the group, whom the kernel would choose first."""

    def __init__(self, group):
        def prepare():
            group.enter()
            with open("/proc/self/oom_score_adj", "w") as file:
                file.write("1000")
        self._popen = subprocess.Popen(
            [memory_group.PYTHON, "-u", "-c", HOG.replace("numpy, ", "")
             .replace("numpy.ones((512, 1024))", "b'x' * (4 << 20)")],
            preexec_fn=prepare, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._popen.stdout.readline() == b"ready\n"

    def fill(self):
        self._popen.stdin.write(b"go\n")
        self._popen.stdin.flush()
        assert self._popen.wait() == -signal.SIGKILL

    def kill(self):
        self._popen.kill()
        self._popen.wait()


@pytest.mark.parametrize("without", ["", "log", "tracepoint", UNSEEN])
def test_the_kernel_chose_another(without):
    with memory_group.memory_group() as group:
        group.limit(200)
        neighbour = Neighbour(group)
        run = Supervised(QUIET, group, without=without).wait_until_ready()
        neighbour.fill()
        assert group.kills() == 1
        run.send(signal.SIGKILL)
        case = run.case()
    if without == UNSEEN:
        assert verdict(case).startswith("unknown"), told(case)
        assert "this one or another" in case["diagnosis"]["certain"][0]
        return
    assert case["diagnosis"]["verdict"] == "killed-by-process", told(case)
    if "log" not in without:
        assert f"it killed python3 (process {neighbour._popen.pid})" \
            in told(case)


@pytest.mark.parametrize("without", ["", "log", "tracepoint", UNSEEN])
def test_another_was_killed_and_the_kernel_chose_this_one(without):
    with memory_group.memory_group() as group:
        group.limit(200)
        neighbour = Neighbour(group)
        run = Supervised(HOG, group, without=without).wait_until_ready()
        neighbour.kill()
        case = run.go().case()
    expected = "unknown" if without == UNSEEN else "out-of-memory-killed proven"
    assert verdict(case).startswith(expected), told(case)


def test_a_worker_takes_its_parent_along():
    with memory_group.memory_group() as group:
        run = Supervised(WORKER, group.limit(120))
        case = run.wait_until_ready().go().case()
        assert run.status == 1
        assert verdict(case) == "out-of-memory-killed proven", told(case)
        assert case["snapshot"]["root"]["termination"]["exit_code"] == 1
        # It has read nothing of its interpreter's files since the fork.
        assert case["snapshot"]["threads"][0]["python"]


def test_without_the_developing_process(tmp_path, monkeypatch):
    """What the supervisor itself can say about a kill."""
    front = tmp_path / "sigwhy"
    shutil.copy(runs.SIGWHY, front)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(runs, "SIGWHY", str(front))
    with memory_group.memory_group() as group:
        run = Supervised(HOG, group.limit(120)).wait_until_ready().go()
        assert "out-of-memory-killed: the kernel's log names" in run.last_words()
    run = Supervised(QUIET).wait_until_ready()
    run.send(signal.SIGKILL)
    assert f"process {os.getpid()} sent it SIGKILL" in run.last_words()


def test_timeout_asks_before_it_kills():
    run = Supervised(STUBBORN, before=("/usr/bin/timeout", "-k", "1", "2"))
    case = run.case()
    assert run.status == -signal.SIGKILL or run.status == 137
    assert verdict(case) == "time-limit strong", told(case)
    assert "timeout" in told(case)


def test_a_batch_system_asks_before_it_kills():
    case = asked_then_killed(env={"SLURM_JOB_ID": "4711"})
    assert verdict(case) == "time-limit strong", told(case)
    assert "Slurm" in told(case)
    case = killed(env={"SLURM_JOB_ID": "4711"})
    assert verdict(case) == "killed-by-process proven", told(case)
