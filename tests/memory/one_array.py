# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 300
# needs: numpy
# says: float64 \(8192, 8192\)
#
# One array that is larger than the limit, filled at once.
import numpy as np

table = np.ones((8192, 8192))
print(table.sum())
