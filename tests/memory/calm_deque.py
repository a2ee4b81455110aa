# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 300
# needs: numpy
#
# A replay buffer with a capacity fills to 64 MiB and stays there.
import collections

import numpy as np

rng = np.random.default_rng(7)
buffer = collections.deque(maxlen=64)
for step in range(300):
    buffer.append(rng.random((512, 512), dtype=np.float32))
