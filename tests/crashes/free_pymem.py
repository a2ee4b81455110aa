# expect: invalid-free strong
# not: null-pointer use-after-free
# ends: SIGABRT
#
# Memory from Python's own allocator is given to libc.free(). What lies in front
# of it is another object, and glibc takes that for a size.
import ctypes

libc, python = ctypes.CDLL(None), ctypes.pythonapi
libc.free.argtypes = [ctypes.c_void_p]
python.PyMem_Malloc.restype, python.PyMem_Malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]


def scratch(size):
    names = [python.PyMem_Malloc(size) for _ in range(20)]
    for name in names:
        ctypes.memset(name, 0x41, size)
    libc.free(names[10])


scratch(96)
