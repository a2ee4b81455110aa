# expect: out-of-bounds strong
# looks-like: wild-pointer
# not: wild-pointer null-pointer use-after-free
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: 300,000,000, which is\s+from `ids`
#
# One of the row numbers is wrong. The library has made an address of it and the
# number is in no register any more, but it still stands in the array.
import ctypes
import sys

import numpy

library = ctypes.CDLL(sys.argv[1])
library.embed.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
table = numpy.ones((1000, 6), numpy.float32)
ids = numpy.array([3, 999, 300_000_000, 17], numpy.int64)
out = numpy.zeros((4, 6), numpy.float32)
library.embed(table.ctypes.data, ids.ctypes.data, len(ids), out.ctypes.data)
