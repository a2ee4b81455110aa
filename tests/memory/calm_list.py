# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 300
# needs: numpy
#
# The same loop as grow_list, but what is kept is cleared after every tenth step.
import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
history = []
for step in range(300):
    batch = rng.random((512, 512), dtype=np.float32)
    history.append(batch)
    weights = np.tanh(weights + np.sort(batch))
    if step % 10 == 9:
        history.clear()
