# expect: null-pointer strong
# looks-like: gil-not-held
# not: python-fatal-error out-of-bounds
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: sum_rows
#
# ctypes.CDLL releases the GIL around the call, so the thread state is NULL
# while the library reads its own null pointer. That is no GIL mistake: no
# Python function is on the stack above the library.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.sum_rows.restype = ctypes.c_double
lib.sum_rows.argtypes = [ctypes.c_void_p, ctypes.c_long]

rows = np.arange(4096, dtype=np.float64)
print(lib.sum_rows(rows.ctypes.data, rows.size))
print(lib.sum_rows(None, rows.size))
