# expect: memory-leak strong
# ends: exit 1
# memory: 300
# needs: numpy
# says: its worker
# says: PROVEN out-of-memory-killed
# says: STRONG memory-leak list `seen` keeps growing
# says: worker_list\.py:22
#
# A forked worker keeps all it has seen. Most of its pages it shares with its
# parent, and to read such a page must not cost another: there is none left.
from concurrent.futures import ProcessPoolExecutor

import numpy as np

rng = np.random.default_rng(7)
seen = []


def work(number):
    batch = rng.random((512, 512))
    seen.append(batch)
    return float(np.sort(batch).sum())


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as pool:
        print(sum(pool.map(work, range(1000))))
