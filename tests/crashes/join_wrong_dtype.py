# expect: out-of-bounds strong
# at-most: strong
# not: null-pointer use-after-free gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: of `values`
# says: takes 8 bytes each; float32 elements have 4
#
# A float32 array read as doubles: the index is right, the step is not.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.pick.restype = ctypes.c_double
lib.pick.argtypes = [ctypes.c_void_p, ctypes.c_long]
values = np.ones(64 << 20, np.float32)
lib.pick(values.ctypes.data, values.size - 1)
