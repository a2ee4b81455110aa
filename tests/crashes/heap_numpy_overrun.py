# expect: heap-corruption strong
# at-most: strong
# not: null-pointer gil-not-held python-fatal-error
# looks-like: invalid-free
# ends: SIGABRT
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# The library writes one row too many behind a NumPy array; the array's own free
# finds it, after the library has returned.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.blur.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_long]

image = np.zeros((100, 64), dtype=np.uint8)
lib.blur(image.ctypes.data, 101, 64)
print("blurred")
del image
