# expect: null-pointer strong
# looks-like: gil-not-held
# not: python-fatal-error
# ends: SIGSEGV
# run: {lib}
# lib-build: -O1
# says: decode
#
# A worker thread of a library reads through null while Python's main thread
# runs on happily with the GIL. The worker never touches Python.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
lib.start()
while True:
    sum(range(1000))
