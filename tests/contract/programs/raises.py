"""Ways in which a Python program ends or goes on after an exception, for
every Python since 2.7. Words are done in their order; "wait" says `ready` and
reads the next word from stdin."""
from __future__ import print_function

import atexit
import ctypes
import os
import signal
import subprocess
import sys
import threading


class Odd(Exception):
    pass


def deep(number, error=ValueError("too deep")):
    if number:
        deep(number - 1, error)
    raise error


def hook(kind, value, traceback):
    sys.stderr.write("hooked %s\n" % kind.__name__)


def a_callback():
    """C code that prints an exception and goes on."""
    run = ctypes.pythonapi.PyRun_SimpleString
    run(b"raise ValueError('in a callback')")


def work(number):
    if number == 3:
        raise Odd("number 3")
    return number * number


def pool(numbers):
    import multiprocessing
    if hasattr(multiprocessing, "set_start_method"):
        multiprocessing.set_start_method("fork")
    workers = multiprocessing.Pool(2)
    try:
        print(workers.map(work, numbers))
    finally:
        workers.terminate()
        workers.join()


def own_child(word, check):
    sys.stdout.flush()
    words = [sys.executable, __file__, word]
    status = subprocess.call(words)
    if check:
        sys.exit(status)
    print("the child ended with %d" % status)


def fork_and_raise():
    sys.stdout.flush()
    child = os.fork()
    if not child:
        deep(2, Odd("in the child"))
    print("status %d" % os.waitpid(child, 0)[1])


def thread_raises():
    thread = threading.Thread(target=deep, args=(2, Odd("in a thread")))
    thread.start()
    thread.join()


def exit_in_except():
    try:
        deep(3)
    except ValueError:
        sys.exit(4)


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10**9):
        pass


def wait():
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    do(os.read(0, 100).decode())


WAYS = {
    "wait": wait,
    "raise": lambda: deep(3),
    "end": lambda: None,
    "exit-0": lambda: sys.exit(0),
    "exit-none": lambda: sys.exit(),
    "exit-3": lambda: sys.exit(3),
    "exit-text": lambda: sys.exit("words for stderr"),
    "exit-in-except": exit_in_except,
    "os-exit": lambda: os._exit(5),
    "interrupt": interrupt,
    "callback": a_callback,
    "callbacks": lambda: [a_callback() for _ in range(60)],
    "thread": thread_raises,
    "fork": fork_and_raise,
    "child": lambda: own_child("raise", check=False),
    "child-counts": lambda: own_child("raise", check=True),
    "pool": lambda: pool([1, 2]),
    "pool-raises": lambda: pool([1, 3]),
    "hook": lambda: setattr(sys, "excepthook", hook),
    "atexit": lambda: atexit.register(lambda: print("at the end")),
}


def do(word):
    WAYS[word.strip()]()


for one in sys.argv[1:]:
    do(one)
sys.stdout.flush()
