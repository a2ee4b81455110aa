# expect: impossible-allocation strong
# not: python-exception
# ends: exit 1
#
# A length read from bytes that are none: 1.2 EiB are asked for.
import struct

with open("shard.bin", "wb") as out:
    out.write(b"\xff\xfe\x00\x10\x7a\x11\x22\x13" + b"x" * 100)
with open("shard.bin", "rb") as f:
    (n,) = struct.unpack("<Q", f.read(8))
    data = f.read(n)
