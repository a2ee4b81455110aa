# expect: invalid-free|heap-corruption strong
# not: null-pointer gil-not-held python-fatal-error
# ends: SIGABRT
# needs: numpy
#
# libc.free() on the data of a NumPy array that frees it again when it goes.
import ctypes

import numpy as np

libc = ctypes.CDLL(None)
libc.free.argtypes = [ctypes.c_void_p]


def consume(array):
    libc.free(array.ctypes.data)


pixels = np.empty(3000, dtype=np.uint8)
consume(pixels)
del pixels
