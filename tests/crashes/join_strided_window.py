# expect: out-of-bounds proven
# not: null-pointer use-after-free wild-pointer gil-not-held
# ends: SIGSEGV
# needs: numpy
# says: element \([0-9]+, [0-7]\) of `windows`
# says: 8,000 bytes it is a view of
#
# A sliding window whose strides forget the size of an element leaves the array
# it is a view of; NumPy walks what it was told. Shape and strides of the view
# prove it, wherever the first page is missing.
import numpy as np

signal = np.zeros(1000)
windows = np.lib.stride_tricks.as_strided(signal, shape=(4_000_000, 8), strides=(80, 8))
print(windows.sum())
