# expect: out-of-memory-killed proven
# looks-like: memory-leak shared-memory-full
# ends: SIGKILL
# memory: 300
# needs: numpy long
# says: shared memory
#
# Results are handed on through shared memory that nobody unlinks.
from multiprocessing import shared_memory

import numpy as np

names = []
weights = np.ones((256, 256))
while True:
    segment = shared_memory.SharedMemory(create=True, size=1 << 20)
    segment.buf[:] = bytes(1 << 20)
    names.append(segment.name)
    for _ in range(4):
        weights = np.tanh(np.sort(weights))
    segment.close()
