# expect: out-of-bounds strong
# not: null-pointer wild-pointer use-after-free
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O2
# says: 151,643
#
# A token of another tokenizer: the table of embeddings has 3,000 rows, and the
# copy of row 151,643 begins where nothing is.
import ctypes
import sys

import numpy

library = ctypes.CDLL(sys.argv[1])
table = numpy.ones((3000, 512), numpy.float32)
ids = numpy.array([1, 5, 2999, 151_643, 7], numpy.int64)
out = numpy.zeros((len(ids), 512), numpy.float32)
library.gather(*(ctypes.c_void_p(a.ctypes.data) for a in (table, ids)), ctypes.c_long(len(ids)), ctypes.c_long(512),
               ctypes.c_void_p(out.ctypes.data))
