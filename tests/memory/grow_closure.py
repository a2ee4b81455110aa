# expect: memory-leak|out-of-memory-killed strong
# ends: SIGKILL
# memory: 300
# needs: numpy long
#
# A generator that remembers what it gave, in a list only it can see.
import numpy as np


def batches(rng):
    kept = []
    while True:
        made = rng.random((512, 512), dtype=np.float32)
        kept.append(made)
        yield made


weights = np.ones((512, 512), np.float32)
for batch in batches(np.random.default_rng(7)):
    for _ in range(2):
        weights = np.tanh(weights + np.sort(batch))
