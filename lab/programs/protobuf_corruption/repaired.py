# The whole graph.
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    images = tf.compat.v1.placeholder(tf.float32, [None, 784], name="images")
    tf.matmul(images, tf.zeros([784, 10]), name="logits")
data = graph.as_graph_def().SerializeToString()
path = "frozen.pb"
with open(path, "wb") as file:
    file.write(data)

loaded = tf.compat.v1.GraphDef()
with open(path, "rb") as file:
    loaded.ParseFromString(file.read())
print(len(loaded.node))
