# expect: null-pointer strong
# looks-like: python-exception
# not: killed-by-process out-of-memory-killed
# ends: exit 1
#
# One worker of a process pool dies natively; the parent only knows that "a
# process in the pool was terminated abruptly" and exits with 1. The cause is
# the worker's.
import ctypes
from concurrent.futures import ProcessPoolExecutor


def convert(item):
    return ctypes.string_at(0) if item == 3 else item


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as pool:
        print(list(pool.map(convert, range(5))))
