# expect: division-by-zero strong
# not: gil-not-held python-fatal-error
# ends: SIGFPE
# run: {lib}
# lib-build: -O2
# says: windows
#
# Python itself raises ZeroDivisionError; the C function it calls divides by the
# stride it was given.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
print(lib.windows(32, 3, 2))
print(lib.windows(32, 3, 0))
