# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: `buffer`
#
# A replay buffer with a capacity that is larger than the memory: it climbs as a
# leak does, and would have stopped by itself.
import collections

import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
buffer = collections.deque(maxlen=5000)
for step in range(100000):
    seen = rng.random((512, 512), dtype=np.float32)
    buffer.append(seen)
    for _ in range(2):
        weights = np.tanh(weights + np.sort(seen))
