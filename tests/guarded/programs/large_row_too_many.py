# expect: out-of-bounds proven
# block: 4194304 large_row_too_many.py:19
# ends: SIGABRT
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# A C library called by ctypes blurs one row of 4 KiB more than the image has,
# over the head of the array behind it. It is noticed when that one is freed.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.blur.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_long]

mask = np.zeros((1024, 1024), dtype=np.float32)
image = np.ones((1024, 1024), dtype=np.float32)
lib.blur(image.ctypes.data, *image.shape)
print(image.mean())
