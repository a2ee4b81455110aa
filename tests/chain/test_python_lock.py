"""Who holds the interpreter's lock at the end, and who waits for it."""
import signal

import pytest

from test_python_frames import interpreters

PROGRAM = '''\
import ctypes, os, threading

def busy(ready):
    ready.release()
    while True: pass

def idle(ready, stay):
    ready.release(); stay.acquire()

ready, stay = threading.Semaphore(0), threading.Lock()
stay.acquire()
for target, args in (busy, (ready,)), (idle, (ready, stay)):
    thread = threading.Thread(target=target, args=args)
    thread.daemon = True
    thread.start()
    ready.acquire()
getattr(ctypes.%s(None), 'raise')(11)
'''


def state_of(snapshot, function):
    return [t["gil"] for t in snapshot["threads"] if any(f["function"] == function for f in t["python"])]


@pytest.mark.parametrize("python", interpreters(), ids=lambda p: p.split("/")[-3])
def test_held_by_the_one_that_died(bench, python):
    (bench.folder / "lock.py").write_text(PROGRAM % "PyDLL")
    run = bench.run(python, "lock.py", options=["--always"])
    snapshot = run.case["snapshot"]
    dying = [t for t in snapshot["threads"] if t["died"]][0]
    assert dying["gil"] == "holds"
    assert [i["gil_holder"] for i in snapshot["interpreters"]] == [dying["tid"]]
    assert state_of(snapshot, "idle") == ["released"]
    # It may have been stopped on its way to the wait.
    assert state_of(snapshot, "busy")[0] in ("waits", "released")


def test_released_before_a_foreign_call(bench):
    (bench.folder / "lock.py").write_text(PROGRAM % "CDLL")
    snapshot = bench.run("/usr/bin/python3", "lock.py").case["snapshot"]
    dying = [t for t in snapshot["threads"] if t["died"]][0]
    assert dying["gil"] == "released"
    assert dying["tid"] not in [i.get("gil_holder") for i in snapshot["interpreters"]]


MAKES_NUMBERS = r"""
#include <pthread.h>
extern void *PyLong_FromLong(long number);
extern void Py_DecRef(void *object);

static void *make_numbers(void *unused) {
    for (long i = 1000;; i++) Py_DecRef(PyLong_FromLong(i));
    return unused;
}
void count(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, make_numbers, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
"""


def test_threads_that_python_does_not_know(bench):
    """They break Python's lists of free memory for each other. Where that shows, and by which signal, differs from run
    to run; each time it is a thread without a state, in a function that needs the GIL."""
    library = bench.build("numbers.so", MAKES_NUMBERS, "-O2", "-shared", "-fPIC")
    program = f"import ctypes; ctypes.PyDLL({library!r}).count()"
    run = bench.run("/usr/bin/python3", "-c", program)
    assert -run.status in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)
    assert run.verdict == "gil-not-held", run.err
    assert "does not hold the GIL" in run.unwrapped
