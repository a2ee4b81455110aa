# expect: shape-mismatch proven
# not: python-exception
# ends: exit 1
# needs: numpy
# says: `rows` is \(40, 7\) and `extra` is \(40, 7, 9\): 2 and 3\s+dimensions
#
# The numbers of dimensions differ. No two sizes are at odds: joining compares
# none of them before that.
import numpy as np

rows = np.zeros((40, 7))
extra = np.zeros((40, 7, 9))
np.concatenate([rows, extra])
