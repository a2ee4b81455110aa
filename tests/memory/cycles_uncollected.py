# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 250
# says: native code may leak,\s+or\s+objects\s+may\s+keep\s+each\s+other
#
# Objects that keep each other while the collector is off: no name leads to them,
# and no native code leaks.
import gc
import hashlib

gc.disable()
state = b"seed"


class Node:
    def __init__(self):
        self.me = self
        self.room = bytearray(200000)


while True:
    Node()
    for _ in range(4):
        state = hashlib.sha512(state * 3000).digest()
