# expect: out-of-bounds strong
# not: null-pointer wild-pointer use-after-free
# ends: SIGSEGV
# says: `step`
#
# A pointer of ctypes knows no length: step 200,000 of 1,000.
import ctypes

losses = (ctypes.c_int * 1000)(*range(1000))
first = ctypes.cast(losses, ctypes.POINTER(ctypes.c_int))
for step in range(0, 1 << 30, 200_000):
    print(first[step])
