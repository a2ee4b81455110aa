# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 300
# needs: numpy
#
# The same cache with keys that come again: it warms up and stays.
import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
cache = {}


def features(key):
    if key not in cache:
        cache[key] = rng.random((512, 512), dtype=np.float32)
    return cache[key]


for step in range(300):
    weights = np.tanh(weights + np.sort(features(step % 50)))
