# confirm: spawn refuted
import ctypes
import multiprocessing
import sys


def work():
    ctypes.string_at(0x123456000)


if __name__ == "__main__":
    worker = multiprocessing.Process(target=work)
    worker.start()
    worker.join()
    sys.exit(1 if worker.exitcode else 0)
