# question: 3 4
# claim: a buffer overflow: writing behind the end of an array
# really: true for a C function that is told a wrong length
# expect: out-of-bounds strong
# ends: SIGSEGV
# fix: Check .*normalise
# says: normalise
# says: images
# confirm: proven -- --only guarded_heap --runs 3 --time 200
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
# quick: tensorflow
# build: gcc -g -O1 -shared -fPIC normalise.c -o normalise.so
#
# The function wants the number of values and is given the number of bytes.
import ctypes

import numpy as np

library = ctypes.CDLL("./normalise.so")
library.normalise.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_float]

images = np.ones((10000, 784), np.float32)
library.normalise(images.ctypes.data, images.nbytes, 255.0)  # here
print(images.mean())
