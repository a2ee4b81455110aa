# Both packages from one source, with one runtime.
import ctypes

import numpy as np

images = np.ones((1000, 784), np.float32)
scaling = ctypes.CDLL("./scaling.so")
print(scaling.scaled_sum(ctypes.c_void_p(images.ctypes.data), images.size))
features = ctypes.CDLL("./features_repaired.so")
print(features.feature_sum(ctypes.c_void_p(images.ctypes.data), images.size))
