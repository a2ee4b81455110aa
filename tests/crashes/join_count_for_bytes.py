# expect: out-of-bounds strong
# at-most: strong
# not: null-pointer use-after-free wild-pointer gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: element [0-9,]+ of `values`
# says: 4,194,304 elements
# says: values +NumPy float32 \(2048, 2048\)
#
# The size in bytes where the number of elements is wanted: the loop walks on
# behind the array until the first page that is not there. `other` lies there
# too, and has nothing to do with it.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.total.argtypes = [ctypes.c_void_p, ctypes.c_long]
lib.total.restype = ctypes.c_double
other = np.ones(100)
values = np.ones((2048, 2048), np.float32)
lib.total(values.ctypes.data, values.size)
lib.total(values.ctypes.data, 100 * values.nbytes)
