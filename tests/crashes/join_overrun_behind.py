# expect: heap-corruption strong
# at-most: strong
# not: null-pointer gil-not-held invalid-free
# ends: SIGABRT
# needs: numpy
# run: {lib}
# says: right behind `(out|kept)|heap was damaged earlier
#
# The routine writes doubles into a float32 array; the allocator finds the block
# behind it overwritten when it needs it next.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.cumulate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
kept = []
for n in range(150, 400):
    values = np.ones(n, np.float32)
    out = np.empty(n, np.float32)
    lib.cumulate(values.ctypes.data, out.ctypes.data, n)
    kept.append(out)
kept.clear()
print("done")
