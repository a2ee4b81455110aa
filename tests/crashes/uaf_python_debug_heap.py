# expect: use-after-free plausible
# looks-like: null-pointer
# not: uninitialised-read gil-not-held python-fatal-error
# ends: SIGSEGV
# env: PYTHONMALLOC=debug
#
# Python's debug heap fills freed blocks with 0xdd; the pointer found in one is
# 0xdddddddddddddddd. The environment says that the fill is Python's.
import ctypes

api = ctypes.pythonapi
api.PyMem_Malloc.restype = ctypes.c_void_p
api.PyMem_Malloc.argtypes = [ctypes.c_size_t]
api.PyMem_Free.argtypes = [ctypes.c_void_p]

block = api.PyMem_Malloc(256)
slot = ctypes.c_void_p.from_address(block + 64)
name = ctypes.create_string_buffer(b"layer")
slot.value = ctypes.addressof(name)
print(ctypes.string_at(slot.value))
api.PyMem_Free(block)
print(ctypes.string_at(slot.value))
