# expect: out-of-bounds strong
# not: null-pointer use-after-free gil-not-held
# ends: SIGSEGV
# run: {lib}
# lib-build: -O2
# says: of `numbers`
#
# No NumPy: a plain ctypes array of ints and an index far behind it.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
numbers = (ctypes.c_int * 5000)()
print(lib.last(numbers, ctypes.c_long(5000)))
print(lib.last(numbers, ctypes.c_long(500_000_000)))
