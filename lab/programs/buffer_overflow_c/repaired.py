# The number of values.
import ctypes

import numpy as np

library = ctypes.CDLL("./normalise.so")
library.normalise.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_float]

images = np.ones((10000, 784), np.float32)
library.normalise(images.ctypes.data, images.size, 255.0)
print(images.mean())
