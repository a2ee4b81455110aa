# expect: killed-by-process|unknown strong
# looks-like: memory-leak out-of-memory-killed
# ends: SIGKILL
# needs: numpy
#
# A list that grows with every step, and a stranger's kill -9 while there is
# plenty of memory left: the list has nothing to do with it.
import os
import signal
import subprocess

import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
history = []
for step in range(150):
    batch = rng.random((512, 512), dtype=np.float32)
    history.append(batch)
    for _ in range(2):
        weights = np.tanh(weights + np.sort(batch))
subprocess.run(["sh", "-c", f"kill -9 {os.getpid()}"])
