# Allocates a block of a known size in inner, called by outer; tells where their code objects are, and aborts.
from __future__ import print_function
import ctypes
import os
import sys
import threading

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]


def inner(size):
    return libc.malloc(size)


def outer(size):
    return inner(size)


def gone():
    libc.free(outer(54321))


outer(12345)
thread = threading.Thread(target=gone)
thread.start()
thread.join()
with open(sys.argv[1], "w") as out:
    print(id(inner.__code__), id(outer.__code__), id(gone.__code__), file=out)
os.abort()
