# expect: out-of-bounds strong
# not: null-pointer gil-not-held use-after-free
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: gather
#
# The library trusts an index from Python: base register is the live data of a
# NumPy array, index register the user's own number.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.gather.restype = ctypes.c_float
lib.gather.argtypes = [ctypes.c_void_p, ctypes.c_long]

table = np.ones((1000, 64), dtype=np.float32)
print(lib.gather(table.ctypes.data, 63_999))
print(lib.gather(table.ctypes.data, 500_000_000))
