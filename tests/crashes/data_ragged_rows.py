# expect: ragged-batch proven
# not: shape-mismatch dtype-mismatch python-exception
# ends: exit 1
# needs: numpy
# says: rows.17. has 27 values, the other 31 rows have 28
#
# One row of 32 lost a value. NumPy says that the shape is inhomogeneous, and
# neither which row nor how long it is.
import numpy as np


def load():
    rows = [[1.0] * 28 for _ in range(32)]
    rows[17].pop()
    return np.array(rows, dtype=np.float32)


load()
