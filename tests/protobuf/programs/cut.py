# A message that lost its last bytes.
import train_pb2

whole = train_pb2.Batch(x=[1.0, 2.0, 3.0], name="hello").SerializeToString()
train_pb2.Batch.FromString(whole[:-3])
