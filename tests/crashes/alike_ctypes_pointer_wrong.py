# expect: wild-pointer|unknown weak
# looks-like: out-of-bounds
# not: null-pointer out-of-bounds
# ends: SIGSEGV
#
# The pointer itself is wrong, not the step from it.
import ctypes

first = ctypes.cast(0x2345_6789_0000, ctypes.POINTER(ctypes.c_int))
step = 200_000
print(first[step])
