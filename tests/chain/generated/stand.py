"""stand.py FOLDER: runs each program in it in a child, which dies at its end.

Runs in the interpreter under test, 2.7 to today's. Before it dies a child
writes what the interpreter itself says its stacks are to truth-PID.json.
"""

import ctypes
import functools
import glob
import io
import json
import os
import signal
import sys
import threading
import traceback

sys.modules["stand"] = sys.modules[__name__]
folder = None
gate = threading.Lock()
gate.acquire()
rest = threading.Lock()
rest.acquire()
never = os.pipe()[0]

# All of them C, so that dying adds no Python frame. The foreign calls differ in
# whether the interpreter's lock is held.
ENDS = [lambda: functools.partial(getattr(ctypes.PyDLL(None), "raise"),
                                  int(signal.SIGSEGV)),
        lambda: os.abort,
        lambda: functools.partial(ctypes.CDLL(None).strlen, None),
        lambda: functools.partial(ctypes.PyDLL(None).strlen, None)]


def stack_of(frame):
    found = []
    while frame is not None:
        code = frame.f_code
        found.append([code.co_filename,
                      getattr(code, "co_qualname", code.co_name),
                      frame.f_lineno])
        frame = frame.f_back
    return found


def write_truth(frame, how):
    stacks = dict((str(ident), stack_of(other))
                  for ident, other in sys._current_frames().items())
    me = str(threading.current_thread().ident)
    stacks[me] = stack_of(frame)
    with open(os.path.join(folder, "truth-%d.json" % os.getpid()), "w") as f:
        json.dump({"stacks": stacks, "dying": me, "program": sys.argv[-1],
                   "end": how,
                   "names": dict((str(t.ident), t.name)
                                 for t in threading.enumerate())}, f)


def end(x):
    number = sum(map(ord, sys.argv[-1])) % len(ENDS)
    die = ENDS[number]()
    write_truth(sys._getframe(), number), die()


def run(path):
    sys.argv.append(os.path.basename(path))
    with io.open(path, encoding="utf-8") as f:
        text = f.read()
    exec(compile(text, path, "exec"), {"__name__": "__main__"})


def main():
    global folder
    folder = sys.argv[1]
    for path in sorted(glob.glob(os.path.join(folder, "p*.py"))):
        pid = os.fork()
        if pid == 0:
            signal.alarm(20)
            try:
                run(path)
            except BaseException:
                traceback.print_exc()
            os._exit(3)
        status = os.waitpid(pid, 0)[1]
        if status & 127 not in (signal.SIGSEGV, signal.SIGABRT):
            sys.exit("%s ended with status %d" % (path, status))


if __name__ == "__main__":
    main()
