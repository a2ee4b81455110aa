# expect: out-of-bounds strong
# not: null-pointer wild-pointer use-after-free
# ends: SIGSEGV
# needs: numpy
# says: samples
#
# An array is made for a pointer, and with a length that the memory does not have.
import ctypes

import numpy

memory = (ctypes.c_double * 1000)()
pointer = ctypes.cast(memory, ctypes.POINTER(ctypes.c_double))
samples = numpy.ctypeslib.as_array(pointer, shape=(50_000_000,))
print(samples[::300_000].sum())
