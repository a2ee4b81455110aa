# expect: memory-leak strong
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: STRONG memory-leak dict `cache` keeps growing
# says: grow_dict_cache\.py:19
#
# A cache without an end: every key is new.
import numpy as np

rng = np.random.default_rng(7)
weights = rng.random((512, 512), dtype=np.float32)
cache = {}


def features(key):
    if key not in cache:
        made = rng.random((512, 512), dtype=np.float32)
        cache[key] = made
    return cache[key]


for step in range(100000):
    for _ in range(2):
        weights = np.tanh(weights + np.sort(features(step)))
