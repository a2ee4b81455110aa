# Sound use: whether the generated module can be imported at all.
import train_pb2

batch = train_pb2.Batch(x=[1.0, 2.0], name="a")
assert train_pb2.Batch.FromString(batch.SerializeToString()) == batch
