# The copy has a name that lives as long as the library reads it.
import ctypes

import numpy as np

feeder = ctypes.CDLL("./feeder.so")
feeder.feeder_use.argtypes = [ctypes.c_void_p, ctypes.c_long]
feeder.feeder_mean.restype = ctypes.c_float

images = np.ones((20000, 784), np.uint8)
scaled = images.astype(np.float32)
feeder.feeder_use(scaled.ctypes.data, scaled.size)
print(feeder.feeder_mean())
