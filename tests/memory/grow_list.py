# expect: memory-leak strong
# not: out-of-memory-killed
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: PROVEN out-of-memory-killed
# says: STRONG memory-leak list `history` keeps growing
# says: float32 arrays \(512, 512\)
# says: grow_list\.py:22
#
# Every batch is kept "for later", as one does to look at it when the training
# is done.
import numpy as np


def train(steps):
    rng = np.random.default_rng(7)
    weights = rng.random((512, 512), dtype=np.float32)
    history = []
    for step in range(steps):
        batch = rng.random((512, 512), dtype=np.float32)
        history.append(batch)
        for _ in range(2):
            weights = np.tanh(weights + np.sort(batch))
    return weights


print(train(100000).mean())
