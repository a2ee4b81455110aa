# question: 5
# claim: corrupt protobuf data makes the deserialisation read memory that is not there
# really: the parser checks every length and raises DecodeError
# expect: corrupt-input strong
# ends: exit 1
# says: frozen\.pb
# fix: frozen\.pb
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# A frozen graph that was not copied to its end.
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    images = tf.compat.v1.placeholder(tf.float32, [None, 784], name="images")
    tf.matmul(images, tf.zeros([784, 10]), name="logits")
data = graph.as_graph_def().SerializeToString()
path = "frozen.pb"
with open(path, "wb") as file:
    file.write(data[:len(data) // 2])

loaded = tf.compat.v1.GraphDef()
with open(path, "rb") as file:
    loaded.ParseFromString(file.read())  # here
print(len(loaded.node))
