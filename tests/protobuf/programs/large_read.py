# 2 GiB and 16 bytes are read as one message, whoever was able to write them.
import train_pb2

data = b"\x1a\x8a\x80\x80\x80\x08" + bytes(2**31 + 10)
assert len(train_pb2.Batch.FromString(data).data) == 2**31 + 10
