# question: 3 4
# claim: dangling pointers: memory that is used after it was freed
# really: true where a C library keeps the address of an array; Python does not know that it does
# expect: use-after-free|wild-pointer plausible
# ends: SIGSEGV
# fix: Keep the owner alive
# says: feeder_mean
# confirm: proven -- --only guarded_heap --runs 3 --time 200
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
# quick: tensorflow
# build: gcc -g -O1 -shared -fPIC feeder.c -o feeder.so
#
# The float32 copy of the images has no name: it is gone when feeder_use returns.
import ctypes

import numpy as np

feeder = ctypes.CDLL("./feeder.so")
feeder.feeder_use.argtypes = [ctypes.c_void_p, ctypes.c_long]
feeder.feeder_mean.restype = ctypes.c_float

images = np.ones((20000, 784), np.uint8)
feeder.feeder_use(images.astype(np.float32).ctypes.data, images.size)
print(feeder.feeder_mean())  # here
