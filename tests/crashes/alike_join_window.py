# expect: out-of-bounds|wild-pointer|use-after-free|unknown weak
# says: ^(?!.*of `window`)
# at-most: strong
# not: null-pointer gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# A view that leaves its memory is handed over and used rightly; it is the other
# array that is walked too far. The address lies among the elements that the
# view promises, but that proves nothing: another pointer was in the same call.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.walk.restype = ctypes.c_double
lib.walk.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
base = np.zeros(1000)
window = np.lib.stride_tricks.as_strided(base, shape=(1 << 20, 8), strides=(8, 8))
other = np.ones(1000)
lib.walk(window.ctypes.data, other.ctypes.data, 1 << 30)
