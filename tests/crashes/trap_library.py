# expect: deliberate-trap strong
# looks-like: unsupported-instruction
# not: python-fatal-error gil-not-held
# ends: SIGILL
# run: {lib}
# lib-build: -O2 -g0
# says: set_threads
#
# A library called from Python stops itself by __builtin_trap when its argument
# is out of range.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
lib.set_threads(4)
lib.set_threads(-1)
