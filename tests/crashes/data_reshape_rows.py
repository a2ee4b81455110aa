# expect: shape-mismatch proven
# not: python-exception
# ends: exit 1
# needs: numpy
# says: `samples` \(1000,\) has 1,000\s+elements, which 28 does not divide
#
# One size is left open already, so that putting -1 somewhere is no advice: a
# thousand cannot be split into rows of 28.
import sys

import numpy as np


def batches(samples, size):
    return samples.reshape(-1, size)


try:
    batches(np.arange(1000), 28)
except ValueError:
    sys.exit("no batches")
