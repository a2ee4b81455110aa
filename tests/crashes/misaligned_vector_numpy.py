# expect: unknown weak
# looks-like: null-pointer
# not: wild-pointer out-of-bounds use-after-free gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2 -mavx
# says: add_one
#
# A view of a NumPy array that starts one byte into its buffer, given to a
# library that loads it as aligned vectors.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.add_one.argtypes = [ctypes.c_void_p]

raw = np.zeros(8 * 64 + 1, dtype=np.uint8)
values = raw[1:].view(np.float64)
lib.add_one(values.ctypes.data)
