# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 300
# needs: numpy
#
# The same files, one at a time.
import numpy as np

for number in range(8):
    np.save(f"shard-{number}.npy", np.full((1024, 1024), number, np.float32))
total = 0.0
for number in range(100):
    total += float(np.load(f"shard-{number % 8}.npy").mean())
