# expect: use-after-free strong
# at-most: strong
# not: null-pointer out-of-bounds gil-not-held
# ends: SIGSEGV
# needs: numpy
# says: element 0 of `image`, whose memory was given back
# says: image +NumPy uint8 \(16777216,\)
#
# An array over a library's buffer, which the library takes back.
import ctypes

import numpy as np

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]


def grab(size):
    frame = libc.malloc(size)
    view = np.ctypeslib.as_array(ctypes.cast(frame, ctypes.POINTER(ctypes.c_uint8)), (size,))
    view[:] = 1
    libc.free(frame)
    return view


image = grab(1 << 24)
print(image.sum())
