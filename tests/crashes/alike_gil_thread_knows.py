# expect: null-pointer strong
# looks-like: gil-not-held
# not: gil-not-held
# ends: SIGSEGV
# run: {lib}
# lib-build: -O2
# says: PyList_Append
#
# A thread of a library took the GIL as it should and gives a null list to
# PyList_Append.
import ctypes
import sys

ctypes.CDLL(sys.argv[1]).collect()
