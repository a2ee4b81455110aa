# A message nested 200,000 deep is written: the C and C++ back ends recurse.
import train_pb2

root = at = train_pb2.Batch()
for _ in range(200_000):
    at = at.inner
    at.name = "x"
root.SerializeToString()
