# More than 2 GiB in one message.
import train_pb2

train_pb2.Batch(data=bytes(2**31 + 10)).SerializeToString()
