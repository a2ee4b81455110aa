# Two generated modules define one message.
import train_pb2
import other_pb2
