# expect: aliased-buffer strong
# not: python-exception
# ends: exit 1
#
# A buffer is extended while a view of it is alive.
import sys

pixels = bytearray(64)
row = memoryview(pixels)[:8]
try:
    pixels.extend(bytes(64))
except BufferError:
    sys.exit("cannot go on")
