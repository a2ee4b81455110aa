# expect: use-after-free strong
# not: null-pointer out-of-bounds wild-pointer
# ends: SIGSEGV
# run: {lib}
# says: first
#
# C keeps the address of the contents of a bytes object of 64 MB, which is gone
# when it looks again.
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])


def load(size):
    library.keep(bytes(size))


load(64 << 20)
print(library.first())
