# confirm: cpu-masked confirmed
# fix: tested
# needs: avx2
# A kernel that is chosen where NumPy sees AVX2, and is wrong.
import ctypes

from numpy.core import _multiarray_umath

if _multiarray_umath.__cpu_features__["AVX2"]:
    ctypes.string_at(0x123456000)
