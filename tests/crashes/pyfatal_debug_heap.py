# expect: python-fatal-error|heap-corruption strong
# not: failed-check gil-not-held null-pointer invalid-free
# ends: SIGABRT
# env: PYTHONMALLOC=debug
#
# Python's debug heap finds bytes written behind a block when it is freed. The
# fatal error is how it ended, the overrun is why.
import ctypes

api = ctypes.pythonapi
api.PyMem_Malloc.restype = ctypes.c_void_p
api.PyMem_Malloc.argtypes = [ctypes.c_size_t]
api.PyMem_Free.argtypes = [ctypes.c_void_p]

block = api.PyMem_Malloc(40)
ctypes.memset(block, 0, 44)
api.PyMem_Free(block)
