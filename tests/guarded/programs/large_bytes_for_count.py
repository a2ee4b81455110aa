# expect: out-of-bounds proven
# block: 1048576 large_bytes_for_count.py:18
# ends: exit 0
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# The number of bytes where the number of samples is wanted: 1 MiB is read that
# is not the array's.
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.total.argtypes, lib.total.restype = [ctypes.c_void_p, ctypes.c_long], ctypes.c_double

samples = np.ones(524288, dtype=np.int16)
others = [np.ones(524288, dtype=np.int16) for _ in range(4)]
count = samples.size if sys.argv[-1] == "repaired" else samples.nbytes
print(lib.total(samples.ctypes.data, count))
