"""A memory control group of its own for one program, version 1 or 2.

The kernel kills inside it as it does in a container; nothing outside it is
touched. Swap is closed where the kernel counts it, so that the limit means
memory.
"""

import contextlib
import functools
import itertools
import os
import time
from pathlib import Path

V1 = Path("/sys/fs/cgroup/memory")
V2 = Path("/sys/fs/cgroup")
counter = itertools.count()


@contextlib.contextmanager
def of(mib):
    """The words to put in front of a command so that it runs inside."""
    if not mib:
        yield []
        return
    with inside(make(mib << 20)) as words:
        yield words


@contextlib.contextmanager
def inside(folder):
    """The same for a group that was made, which goes with the program."""
    try:
        yield ["sh", "-c", f'echo $$ > {folder}/cgroup.procs; exec "$@"', "-"]
    finally:
        remove(folder)


def make(limit):
    first = (V1 / "memory.limit_in_bytes").exists()
    parent = V1 if first else V2
    folder = parent / f"sigwhy-test-{os.getpid()}-{next(counter)}"
    folder.mkdir()
    try:
        name = "memory.limit_in_bytes" if first else "memory.max"
        (folder / name).write_text(str(limit))
        for swap, most in (("memory.memsw.limit_in_bytes", limit),
                           ("memory.swap.max", 0)):
            if (folder / swap).exists():
                (folder / swap).write_text(str(most))
    except OSError:
        folder.rmdir()
        raise
    return folder


def remove(folder):
    """A group is gone when its last process is reaped, which takes a moment."""
    for _ in range(100):
        try:
            return folder.rmdir()
        except OSError:
            time.sleep(0.05)


@functools.lru_cache(maxsize=None)
def can_be_made():
    try:
        remove(make(64 << 20))
    except OSError:
        return False
    return True
