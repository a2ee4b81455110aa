# expect: wild-pointer plausible
# looks-like: out-of-bounds
# not: out-of-bounds null-pointer
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# There is an array of large numbers at the line, but they are only added up: the
# pointer to the table is what is wrong.
import ctypes
import sys

import numpy

library = ctypes.CDLL(sys.argv[1])
library.weigh.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
library.weigh.restype = ctypes.c_double
times = numpy.array([1_700_000_000, 1_700_003_600, 300_000_000, 1_700_010_800], numpy.int64)
table = numpy.ones((1000, 6), numpy.float32)
library.weigh(0x123456789abc, times.ctypes.data, len(times))
