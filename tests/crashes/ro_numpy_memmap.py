# expect: write-to-read-only strong
# not: null-pointer mapped-file-truncated gil-not-held
# ends: SIGSEGV
# needs: numpy
# says: table\.npy
#
# A memory map opened with mode "r" is written by C code that does not ask
# NumPy's flags.
import ctypes

import numpy as np

np.save("table.npy", np.zeros(4096))
table = np.load("table.npy", mmap_mode="r")
ctypes.memset(table.ctypes.data, 1, table.nbytes)
