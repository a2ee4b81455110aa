# expect: uninitialised-read plausible
# looks-like: null-pointer
# not: use-after-free gil-not-held python-fatal-error
# ends: SIGSEGV
# env: PYTHONMALLOC=debug
#
# Python's debug heap fills new blocks with 0xcd; a pointer read from one that
# nobody filled is 0xcdcdcdcdcdcdcdcd.
import ctypes

api = ctypes.pythonapi
api.PyMem_Malloc.restype = ctypes.c_void_p
api.PyMem_Malloc.argtypes = [ctypes.c_size_t]

block = api.PyMem_Malloc(256)
print(ctypes.string_at(ctypes.c_void_p.from_address(block + 64).value))
