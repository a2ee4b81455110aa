# expect: none
# looks-like: out-of-memory-refused impossible-allocation
# ends: exit 3
#
# The refusal is handled; the program ends with a code of its own.
import sys

try:
    bytearray(10**18)
except MemoryError:
    pass
sys.exit(3)
