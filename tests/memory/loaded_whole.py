# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: `images`
# says: whole data set
#
# A data set that does not fit, read file by file into a list.
import numpy as np

for number in range(8):
    np.save(f"shard-{number}.npy", np.full((1024, 1024), number, np.float32))
images = []
for number in range(100000):
    images.append(np.load(f"shard-{number % 8}.npy"))
    order = np.sort(images[-1], axis=None)
