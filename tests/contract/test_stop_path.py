"""Between the exit stop of a process that the kernel kills for memory and its
release, sigwhy may open nothing and allocate nothing: in a full group each of
that waits for the memory that is only just being freed. Counted from outside,
by strace on the supervisor, which stands in the full group itself.
"""

import os
import re
import shutil
import signal
import subprocess

import pytest

import memory_group
from memory_group import Supervised, verdict

MOST_LOCKED_KIB = 6 << 10
# Nothing of this may be asked for while a program stands still without memory.
FORBIDDEN = re.compile(
    r"(open|openat|openat2|creat|mmap|brk|mremap|fork|vfork|clone|clone3|"
    r"execve|socket|socketpair|pipe2?|memfd_create|madvise|mlock2?|fallocate|"
    r"newfstatat|stat|statx|readlink)$")
BY_DESCRIPTOR = re.compile(r'newfstatat\(\d+, "", ')
HOG = """
import numpy, sys, threading
names = [threading.Thread(target=threading.Event().wait, daemon=True)
         for _ in range(8)]
for thread in names: thread.start()
print('ready')
sys.stdin.readline()
batches = []
def load():
    while True:
        batches.append(numpy.ones((512, 1024)))
load()
"""


def supervisor_of(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"TracerPid:\t(\d+)", file.read())[1])


def locked_kib(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmLck:\s+(\d+)", file.read())[1])


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_nothing_is_opened_or_allocated_while_memory_is_out(tmp_path):
    log = tmp_path / "calls"
    with memory_group.memory_group() as group:
        run = Supervised(HOG, group.limit(160)).wait_until_ready()
        supervisor = supervisor_of(run.pid)
        assert 0 < locked_kib(supervisor) <= MOST_LOCKED_KIB
        watcher = subprocess.Popen(
            ["strace", "-o", str(log), "-p", str(supervisor)],
            stderr=subprocess.PIPE)
        assert b"attached" in watcher.stderr.readline()
        case = run.go().case()
        watcher.communicate()
    assert verdict(case) == "out-of-memory-killed proven"
    calls = log.read_text().splitlines()
    first = next(i for i, line in enumerate(calls)
                 if "PTRACE_EVENT_EXIT" in line)
    release = [i for i, line in enumerate(calls)
               if re.match(rf"ptrace\(PTRACE_CONT, \d+", line) and i > first]
    names = [line.split("(")[0] for line in calls[first:release[0]]
             if not BY_DESCRIPTOR.match(line)]
    assert names.count("process_vm_readv") > 50
    assert [n for n in names if FORBIDDEN.match(n)] == []
    frames = case["snapshot"]["threads"][0]["python"]
    assert "load" in [f["function"] for f in frames]
    assert any(a["shape"] == [512, 1024] for a in case["snapshot"]["arrays"])
    # What it starts afterwards it starts when there is memory again.
    assert case["snapshot"]["process"]["argv"][0] == memory_group.PYTHON
    assert case["snapshot"]["process"]["executable"].startswith("/usr/bin/")


def test_an_ordinary_user_may_lock_it_too():
    run = Supervised("print('ready'); input()", user=65534).wait_until_ready()
    assert 0 < locked_kib(supervisor_of(run.pid)) <= MOST_LOCKED_KIB
    run.send(signal.SIGKILL)
    assert "user 65534 or root" in memory_group.told(run.case()) \
        or os.access("/dev/kmsg", os.R_OK)
