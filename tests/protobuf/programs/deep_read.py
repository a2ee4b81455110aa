# A message nested 5,000 deep is read: every back end has a limit.
import train_pb2


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


data = b""
for _ in range(5000):
    data = b"\x22" + varint(len(data)) + data
train_pb2.Batch.FromString(data)
