"""`run --hang`: programs that make no progress any more, and those that only look like it."""
import fcntl
import os
import sys

import pytest

ABBA = """
import threading
model, stats = threading.Lock(), threading.Lock()
both = threading.Barrier(2)

def trainer():
    with model:
        both.wait()
        with stats:
            pass

def logger():
    with stats:
        both.wait()
        with model:
            pass

threads = [threading.Thread(target=f) for f in (trainer, logger)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

FORKED = """
import os, threading
lock, held = threading.Lock(), threading.Event()

def metrics():
    with lock:
        held.set()
        threading.Event().wait()

threading.Thread(target=metrics, daemon=True).start()
held.wait()
child = os.fork()
if child == 0:
    lock.acquire()
os.waitpid(child, 0)
"""

SLEEPS = "import time; time.sleep(3)"
WORKS = """
import threading, time
done = threading.Event()

def work():
    end = time.monotonic() + 3
    while time.monotonic() < end:
        pass
    done.set()

threading.Thread(target=work).start()
done.wait()
"""


IDLE_POOL = """
import multiprocessing, os, select

def square(x):
    return x * x

if __name__ == "__main__":
    pool = multiprocessing.get_context("fork").Pool(3)
    print(pool.map(square, range(6)), flush=True)
    select.select([os.pipe()[0]], [], [], 3)
    pool.close()
    pool.join()
"""

LOST_WORKER = """
import multiprocessing, os

def work(i):
    if i == 3:
        os._exit(7)
    return i

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, range(8), chunksize=1))
"""

TICKS = """
import threading
stop = threading.Event()
stop.wait(3)
"""

TAKEN_TWICE = """
import threading
lock = threading.Lock()
with lock:
    with lock:
        pass
"""

NEVER_SET = """
import threading
ready = threading.Event()
ready.wait()
"""

PIPE_IS_FULL = """
import subprocess
shards = subprocess.Popen(["seq", "200000"], stdout=subprocess.PIPE)
shards.wait()
"""

NEVER_CLOSED = """
import subprocess
sorter = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
sorter.stdin.write(b"a")
sorter.wait()
"""

BOTH_WAYS = """
import os
there, back = os.pipe(), os.pipe()
if os.fork() == 0:
    os.read(there[0], 1)
    os._exit(0)
os.read(back[0], 1)
"""

OWN_PIPE = """
import os
reading, writing = os.pipe()
os.write(writing, bytes(1 << 20))
"""

LOCKED_TWICE = """
import fcntl
first, second = open("steps.lock", "w"), open("steps.lock", "w")
fcntl.flock(first, fcntl.LOCK_EX)
fcntl.flock(second, fcntl.LOCK_EX)
"""

# Read late, by a thread that looks at the clock meanwhile.
READ_LATE = """
import subprocess, threading, time
shards = subprocess.Popen(["seq", "200000"], stdout=subprocess.PIPE)

def read_late():
    time.sleep(3)
    shards.stdout.read()

threading.Thread(target=read_late).start()
shards.wait()
"""

WRITES_LATE = """
import subprocess
late = subprocess.Popen(["sh", "-c", "sleep 3; echo done"], stdout=subprocess.PIPE)
late.stdout.read()
"""

LOCKED_ELSEWHERE = """
import fcntl
with open("steps.lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
"""

# One thread has the lock of the library and wants the GIL, the other has the GIL and wants the lock.
GIL_AND_LOCK = """
import ctypes, threading, time
keeps_gil, frees_gil = ctypes.PyDLL("./liblocks.so"), ctypes.CDLL("./liblocks.so")
callback = ctypes.CFUNCTYPE(None)(lambda: None)

def publish():
    frees_gil.publish(callback)

threading.Thread(target=publish).start()
while not frees_gil.is_taken():
    time.sleep(0.001)
keeps_gil.look()
"""

LOCKS = """
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int taken, wanted;
int is_taken(void) { return taken; }
void publish(void (*callback)(void)) {
  pthread_mutex_lock(&lock);
  taken = 1;
  while (!wanted) usleep(1000);
  callback();
  pthread_mutex_unlock(&lock);
}
void look(void) {
  wanted = 1;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
"""


def hang(bench, code, *options, **more):
    (bench.folder / "train.py").write_text(code)
    return bench.run(sys.executable, "train.py", options=("--hang", "1", *options), **more)


def test_two_locks_in_two_orders(bench):
    run = hang(bench, ABBA, "--on-hang", "kill")
    assert run.status == -9
    assert run.verdict == "deadlock"
    assert "trainer() train.py:9" in run.unwrapped and "logger() train.py:15" in run.unwrapped
    assert "hung (no progress for 1 s) and was ended" in run.unwrapped.replace("\u00a0", " ")


def test_a_fork_copies_the_lock_and_not_its_holder(bench):
    run = hang(bench, FORKED, "--on-hang", "kill")
    assert run.verdict == "fork-after-threads"
    assert "train.py:14" in run.unwrapped and "spawn" in run.unwrapped


@pytest.mark.parametrize("code", (SLEEPS, WORKS), ids=("sleeps", "works"))
def test_no_hang(bench, code):
    run = hang(bench, code, "--on-hang", "kill")
    assert (run.status, run.err) == (0, "")


def test_it_is_told_and_left_alone(bench):
    """A hang that ends after all: the report, and the program's own end."""
    free = "import signal\nsignal.signal(signal.SIGALRM, lambda *_: stats.release())\nsignal.alarm(3)\n"
    code = ABBA.replace("threads = ", free + "threads = ").replace("with stats:\n        both", "stats.acquire()\n    if 1:\n        both")
    run = hang(bench, code)
    assert run.status == 0
    assert "deadlock" in run.err and "was ended" not in run.err
    assert "same order" in run.unwrapped


def test_workers_without_work(bench):
    """One reads the queue of the pool, the others wait for their turn at it: so all healthy pools wait."""
    run = hang(bench, IDLE_POOL)
    assert run.status == 0
    assert "deadlock" not in run.err and "fork-after-threads" not in run.err


def test_a_worker_that_ended_is_named(bench):
    run = hang(bench, LOST_WORKER, "--on-hang", "kill")
    finding = run.case["diagnosis"]["findings"][0]
    assert (finding["cause"], finding["strength"]) == ("deadlock", "plausible")
    assert "exited with 7" in finding["claim"] and "train.py:11" in finding["claim"]
    assert "same order" not in run.unwrapped


def test_a_wait_that_ends_by_itself(bench):
    run = hang(bench, TICKS)
    assert run.status == 0
    assert "deadlock" not in run.err


def test_one_lock_taken_twice(bench):
    run = hang(bench, TAKEN_TWICE, "--on-hang", "kill")
    assert run.verdict == "deadlock"
    assert "RLock" in run.unwrapped and "same order" not in run.unwrapped


def test_a_wake_up_that_never_comes(bench):
    run = hang(bench, NEVER_SET, "--on-hang", "kill")
    assert run.verdict == "deadlock"
    assert "set()" in run.unwrapped and "same order" not in run.unwrapped


@pytest.mark.parametrize("code, claim, fix", (
    (PIPE_IS_FULL, "writes to a pipe that is full, and it could be read only by python", "communicate()"),
    (NEVER_CLOSED, "waits for data from a pipe that could be written to only by python", "close()"),
    (BOTH_WAYS, "waits for data from a pipe", "Close every end"),
    (OWN_PIPE, "writes to a pipe that is full, and only itself could read it", "64 KiB"),
    (LOCKED_TWICE, "waits for a lock on steps.lock that it holds itself", "another owner"),
), ids=("pipe is full", "never closed", "both ways", "own pipe", "locked twice"))
def test_processes_that_wait_for_each_other(bench, code, claim, fix):
    run = hang(bench, code, "--on-hang", "kill")
    finding = run.case["diagnosis"]["findings"][0]
    assert (finding["cause"], finding["strength"]) == ("deadlock", "strong")
    assert claim in finding["claim"] and fix in run.unwrapped
    assert "train.py:" in run.unwrapped


@pytest.mark.parametrize("code", (READ_LATE, WRITES_LATE), ids=("read late", "writes late"))
def test_a_pipe_that_moves_in_the_end(bench, code):
    run = hang(bench, code)
    assert run.status == 0
    assert "deadlock" not in run.err


def test_a_lock_that_somebody_else_holds(bench):
    with open(bench.folder / "steps.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = hang(bench, LOCKED_ELSEWHERE, "--on-hang", "kill")
    finding = run.case["diagnosis"]["findings"][0]
    assert (finding["cause"], finding["strength"]) == ("file-contention", "strong")
    assert f"process {os.getpid()} holds" in finding["claim"] and "train.py:4" in run.unwrapped


def test_the_gil_and_a_lock_of_c(bench):
    bench.build("liblocks.so", LOCKS, "-shared", "-fPIC")
    run = hang(bench, GIL_AND_LOCK, "--on-hang", "kill")
    finding = run.case["diagnosis"]["findings"][0]
    assert (finding["cause"], finding["strength"]) == ("deadlock", "strong"), run.err
    assert "holds Python's lock (the GIL) and waits for another lock" in finding["claim"]
    assert "train.py:12" in run.unwrapped and "gil_scoped_release" in run.unwrapped
