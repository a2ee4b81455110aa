# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: exit 137
# memory: 400
# needs: numpy long
#
# Four workers, each with a table of its own: no process is large, all together
# are. The parent passes on how its worker ended.
import multiprocessing
import multiprocessing.connection
import os

import numpy as np


def work(number):
    table = np.full((20000, 1000), number, np.float64)
    while True:
        table += 1.0


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=work, args=(n,)) for n in range(4)]
    for worker in workers:
        worker.start()
    multiprocessing.connection.wait([w.sentinel for w in workers])
    for worker in workers:
        worker.kill()
    os._exit(137)
