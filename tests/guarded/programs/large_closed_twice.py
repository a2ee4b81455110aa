# expect: invalid-free proven
# block: 1048576 buffer_open
# ends: SIGSEGV
# run: {lib}
#
# The wrapper of a C++ buffer is closed by hand and once more when Python drops
# it.
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
lib.buffer_open.argtypes, lib.buffer_open.restype = [ctypes.c_size_t], ctypes.c_void_p
lib.buffer_close.argtypes = [ctypes.c_void_p]


class Buffer:
    def __init__(self, count):
        self.handle = lib.buffer_open(count)

    def close(self):
        lib.buffer_close(self.handle)
        if sys.argv[-1] == "repaired":
            self.handle = None

    __del__ = close


buffer = Buffer(262144)
buffer.close()
del buffer
print("closed")
