# expect: shape-mismatch proven
# not: python-exception unknown
# ends: exit 3
# needs: numpy
# says: `images` is .32, 784. and `weights` is .100, 10.
#
# The program catches the error, says half of it and leaves with sys.exit().
# Python then prints no traceback, so line and shapes are told by nobody else.
import sys

import numpy as np


def forward(images, weights):
    return images @ weights


try:
    forward(np.ones((32, 784)), np.ones((100, 10)))
except ValueError:
    print("training failed", file=sys.stderr)
    sys.exit(3)
