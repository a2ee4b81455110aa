# question: 3 4
# claim: dangling pointers: memory that is used after it was freed
# really: true for a Python function that C keeps: ctypes frees the code that it jumps to
# expect: use-after-free|invalid-free|wild-pointer|bad-jump plausible
# ends: SIGSEGV|SIGABRT|SIGILL
# fix: Keep the callback object
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# quick: tensorflow
# build: gcc -g -O1 -shared -fPIC feeder.c -o feeder.so
#
# Nobody keeps the object that PIXEL makes.
import ctypes
import gc

import numpy as np

feeder = ctypes.CDLL("./feeder.so")
PIXEL = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)
feeder.feeder_run.restype = ctypes.c_float
feeder.feeder_run.argtypes = [ctypes.c_void_p, ctypes.c_long]

images = np.ones((100, 784), np.float32)
feeder.feeder_on_pixel(PIXEL(lambda pixel: pixel / 255))
gc.collect()
print(feeder.feeder_run(images.ctypes.data, images.size))  # here
