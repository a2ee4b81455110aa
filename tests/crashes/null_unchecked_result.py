# expect: null-pointer strong
# looks-like: gil-not-held
# not: gil-not-held wild-pointer
# ends: SIGSEGV
# run: {lib}
# lib-build: -O2
# says: test what it\s+returns for NULL
#
# An extension asks an object for an attribute that it does not have, and uses
# the answer as it is. The exception that says so is still pending.
import ctypes
import sys

rows_of = ctypes.PyDLL(sys.argv[1]).rows_of
rows_of.argtypes = [ctypes.py_object]
rows_of("a text has no rows")
