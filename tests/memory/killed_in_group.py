# expect: killed-by-process|unknown strong
# looks-like: memory-leak out-of-memory-killed
# ends: SIGKILL
# memory: 300
# needs: numpy
#
# The same inside a limited group, half full.
import os
import subprocess

import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
history = []
for step in range(120):
    batch = rng.random((512, 512), dtype=np.float32)
    history.append(batch)
    for _ in range(2):
        weights = np.tanh(weights + np.sort(batch))
subprocess.run(["sh", "-c", f"kill -9 {os.getpid()}"])
