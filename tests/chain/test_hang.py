"""`run --hang`: programs that make no progress any more, and those that only look like it."""
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
    code = ABBA.replace("with stats:\n            pass", "stats.acquire(timeout=3)", 1)
    run = hang(bench, code)
    assert run.status == 0
    assert "deadlock" in run.err and "was ended" not in run.err
