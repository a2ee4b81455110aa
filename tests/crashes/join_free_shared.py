# expect: invalid-free strong
# not: null-pointer gil-not-held python-fatal-error
# ends: SIGABRT
# needs: numpy
# says: the memory of `pixels`
#
# libc.free() on the data of an array, twice: the array is still alive and would
# free it a third time.
import ctypes

import numpy as np

libc = ctypes.CDLL(None)
libc.free.argtypes = [ctypes.c_void_p]
pixels = np.empty(3000, dtype=np.uint8)
more = np.empty(3000, dtype=np.uint8)
libc.free(pixels.ctypes.data)
libc.free(pixels.ctypes.data)
