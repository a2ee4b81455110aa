# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 400
# needs: numpy long
#
# Four workers, each with a table of its own: no process is large, all together
# are. The parent ends the way its worker did.
import multiprocessing
import os
import signal

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
    os.kill(os.getpid(), signal.SIGKILL)
