# expect: out-of-bounds|wild-pointer plausible
# not: null-pointer use-after-free gil-not-held
# ends: SIGSEGV
# needs: numpy
#
# Hand-made strides: NumPy's own loop walks a gigabyte a step away from an array
# of ten elements. No index is left in a register, only the sum.
import numpy as np

small = np.arange(10, dtype=np.float64)
view = np.lib.stride_tricks.as_strided(small, shape=(1000,), strides=(1 << 34,))
print(view.sum())
