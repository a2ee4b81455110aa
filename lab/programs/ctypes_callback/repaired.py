# The callback has a name that lives as long as C calls it.
import ctypes
import gc

import numpy as np

feeder = ctypes.CDLL("./feeder.so")
PIXEL = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float)
feeder.feeder_run.restype = ctypes.c_float
feeder.feeder_run.argtypes = [ctypes.c_void_p, ctypes.c_long]

images = np.ones((100, 784), np.float32)
scaling = PIXEL(lambda pixel: pixel / 255)
feeder.feeder_on_pixel(scaling)
gc.collect()
print(feeder.feeder_run(images.ctypes.data, images.size))
