# expect: use-after-free proven
# block: 104857600 large_feeder.py:20
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# A data feeder keeps the address of an array of 100 MiB that nobody else keeps:
# astype makes a copy, and the copy dies with the call.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.feeder_start.argtypes = [ctypes.c_void_p, ctypes.c_long]
lib.feeder_next.restype = ctypes.c_double

def start(images):
    floats = images.astype(np.float32)
    lib.feeder_start(floats.ctypes.data, floats.size)
    return floats if sys.argv[-1] == "repaired" else None

kept = start(np.ones((25600, 1024), dtype=np.uint8))
print(lib.feeder_next())
