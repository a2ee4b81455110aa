# expect: heap-corruption strong
# looks-like: invalid-free
# ends: SIGABRT
# run: {lib}
#
# Every row is written one number too far, over the size of the block behind it.
# glibc speaks of a double free, and somewhere on the stack lies an address beside
# that address plus 16: no block was freed twice, and no pointer is a stranger's.
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
print(library.pad_rows(48, 30))
