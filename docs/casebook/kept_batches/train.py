import sys

import numpy as np

rng = np.random.default_rng(7)
weights = np.zeros(784, np.float32)
history = []


def fit(steps, keep):
    for step in range(steps):
        batch = rng.random((512, 784), dtype=np.float32)
        error = np.sort(batch - batch.mean(axis=0), axis=None).reshape(512, 784)
        weights[:] += 0.01 * error.mean(axis=0)
        history.append(keep(batch))
        if step % 100 == 0:
            print("step", step, "weights", round(float(weights.sum()), 3))


if sys.argv[1:] == ["mean"]:
    fit(400, lambda batch: float(batch.mean()))
else:
    fit(100000, lambda batch: batch)
