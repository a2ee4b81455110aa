# The copy has a name that lives as long as the library reads it.
import ctypes

import torch

feeder = ctypes.CDLL("./feeder.so")
feeder.feeder_use.argtypes = [ctypes.c_void_p, ctypes.c_long]
feeder.feeder_mean.restype = ctypes.c_float

images = torch.ones((20000, 784), dtype=torch.uint8)
scaled = images.float()
feeder.feeder_use(scaled.data_ptr(), scaled.numel())
print(feeder.feeder_mean())
