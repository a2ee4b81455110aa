# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# needs: tensorflow long
# says: PROVEN out-of-memory-killed
# says: STRONG memory-leak \w+ `[\w.]*seen` keeps growing
# says: tf_layer_history\.py:21
#
# A layer that keeps what went through it, "to look at it". Called eagerly it
# keeps one tensor a call.
import tensorflow as tf


class Probe(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = []

    def call(self, x):
        y = tf.nn.relu(x)
        self.seen.append(y)
        return y


probe = Probe()
x = tf.random.normal([1024, 1024])
for step in range(100000):
    x = tf.matmul(probe(x), x) / 1024.0
