# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 200
# run: {lib}
#
# A C library that forgets to free. The curve is as steady as any leak's, but
# nothing in Python holds it: that may be a leak and is not shown to be one.
import ctypes
import hashlib
import sys

decode = ctypes.CDLL(sys.argv[1]).decode
state = b"seed"
while True:
    decode(1 << 18)
    for _ in range(12):
        state = hashlib.sha512(state * 3000).digest()
