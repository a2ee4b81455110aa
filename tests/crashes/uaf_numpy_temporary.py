# expect: use-after-free|wild-pointer|unknown weak
# at-most: strong
# not: null-pointer gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# says: later
#
# The library keeps the address of a temporary array; when it looks again the
# array, 32 MB with a mapping of its own, is gone.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.keep.argtypes = [ctypes.c_void_p, ctypes.c_long]
lib.later.restype = ctypes.c_double

data = np.ones(2_000_000)
lib.keep((data * 2 + 1).ctypes.data, data.size)
print(lib.later())
