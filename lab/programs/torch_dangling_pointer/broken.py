# question: 3 4
# claim: dangling pointers: memory that is used after it was freed
# really: true where a C library keeps the address of a tensor; PyTorch does not know that it does
# expect: use-after-free|wild-pointer plausible
# ends: SIGSEGV
# fix: Keep the owner alive
# says: feeder_mean
# confirm: proven -- --only guarded_heap --runs 3 --time 200
# on: torch
# shares: dangling_pointer/feeder.c
# build: gcc -g -O1 -shared -fPIC feeder.c -o feeder.so
#
# The float copy of the images has no name: it is gone when feeder_use returns.
import ctypes

import torch

feeder = ctypes.CDLL("./feeder.so")
feeder.feeder_use.argtypes = [ctypes.c_void_p, ctypes.c_long]
feeder.feeder_mean.restype = ctypes.c_float

images = torch.ones((20000, 784), dtype=torch.uint8)
feeder.feeder_use(images.float().data_ptr(), images.numel())
print(feeder.feeder_mean())  # here
