# expect: unsupported-instruction strong
# not: deliberate-trap bad-jump gil-not-held python-fatal-error
# ends: SIGILL
# run: {lib}
# needs: cpu-without:xop
# says: (?i)xop
#
# A C function built for an old AMD (vpmacssww of XOP) is called from Python.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
print(lib.filter_rows(3))
