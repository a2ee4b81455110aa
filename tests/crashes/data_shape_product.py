# expect: shape-mismatch proven
# not: python-exception
# ends: exit 1
# needs: numpy
# says: `x` is .64, 784. and `w` is .748, 10.
#
# The inner sizes of a product differ; the message names them without their
# arrays.
import numpy as np

x, w = np.ones((64, 784)), np.ones((748, 10))
print((x @ w).shape)
