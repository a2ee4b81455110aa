# expect: impossible-allocation|out-of-memory-refused strong
# looks-like: resource-limit
# ends: exit 1
# needs: map-limit
# says: alike_mappings_many\.py:19 decode
#
# Forty thousand mappings are many and not too many: it is the size that no machine
# has. So many must not crowd out the rest of what is copied.
import mmap

shared = [mmap.mmap(-1, 4096) for _ in range(40_000)]


def header():
    return {"width": 1 << 24, "height": 1 << 26}


def decode(width, height):
    return bytearray(width * height)


decode(**header())
