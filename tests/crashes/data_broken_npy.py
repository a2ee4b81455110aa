# expect: corrupt-input proven
# not: shape-mismatch python-exception file-contention
# ends: exit 1
# needs: numpy
# says: labels\.npy is broken at byte 20,064
#
# NumPy complains of a shape; the walk over the file says where it ends and that
# it should not.
import os

import numpy as np

np.save("labels.npy", np.arange(50_000))
os.truncate("labels.npy", 20_064)
np.load("labels.npy")
