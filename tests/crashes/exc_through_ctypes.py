# expect: uncaught-cpp-exception strong
# not: python-fatal-error failed-check gil-not-held
# ends: SIGABRT
# run: {lib}
# lib-build: -O2
# says: unknown optimiser
#
# A C++ exception leaves a library function that Python called through ctypes:
# nobody between the library and Python can catch it.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
print(lib.make_optimiser(b"sgd"))
print(lib.make_optimiser(b"adamw"))
