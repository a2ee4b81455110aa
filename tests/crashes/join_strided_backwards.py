# expect: out-of-bounds proven
# not: null-pointer use-after-free wild-pointer gil-not-held stack-overflow
# ends: SIGSEGV
# needs: numpy
# says: element [0-9,]+ of `backwards`.* before the start
#
# The same to the other side: a view with negative strides that starts at the
# array's end and is longer than the array.
import numpy as np

signal = np.zeros(1 << 20)
backwards = np.lib.stride_tricks.as_strided(signal[-1:], shape=(1 << 28,), strides=(-4096,))
print(backwards.sum())
