# expect: invalid-free strong
# not: null-pointer use-after-free heap-corruption
# ends: SIGABRT
# needs: numpy
# says: the middle of the memory of .?samples
#
# A view begins in the middle of its array's memory, and free() is given that.
import ctypes

import numpy as np

libc = ctypes.CDLL(None)
libc.free.argtypes = [ctypes.c_void_p]
samples = np.arange(1000.0)
tail = samples[100:]
libc.free(tail.ctypes.data)
