# expect: out-of-bounds|wild-pointer|unknown weak
# at-most: strong
# not: null-pointer use-after-free gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: ^(?!.*of `(values|window|rows)`)
#
# The library walks off a table of its own while large arrays are alive around
# it, one of them a hand-made view that spans everything. None of them is handed
# to the call, so none may be named.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.own_table.restype = ctypes.c_double
values = np.ones((1024, 1024), np.float32)
rows = [np.ones(1 << 16) for _ in range(8)]
window = np.lib.stride_tricks.as_strided(values, shape=(1 << 24, 1 << 10), strides=(1 << 21, 8))
print(window[0, 0])
lib.own_table()
