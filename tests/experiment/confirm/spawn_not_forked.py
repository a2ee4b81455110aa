# confirm: spawn confirmed fork-after-threads strong
# fix: tested
# Memory that a fork does not copy, as drivers have it; a worker that starts anew has its own.
import mmap
import multiprocessing
import sys

pages = mmap.mmap(-1, 1 << 20)
pages.madvise(mmap.MADV_DONTFORK)


def work():
    return pages[0]


if __name__ == "__main__":
    worker = multiprocessing.Process(target=work)
    worker.start()
    worker.join()
    sys.exit(1 if worker.exitcode else 0)
