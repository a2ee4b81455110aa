# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: `table`
# says: float64 \(8192, 8192\)
#
# zeros() promises memory and takes none; each row takes its pages when it is
# first written. A steady climb, and no leak.
import numpy as np

table = np.zeros((8192, 8192))
rng = np.random.default_rng(7)
weights = rng.random((256, 256))
for row in range(8192):
    for _ in range(2):
        weights = np.tanh(np.sort(weights))
    table[row] = weights[0, 0]
