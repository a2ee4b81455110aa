# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 900
# needs: tensorflow long
#
# The same layer in fit(): what it keeps are two symbols of the graph.
import numpy as np
import tensorflow as tf


class Probe(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.seen = []

    def call(self, x):
        y = tf.nn.relu(x)
        self.seen.append(y)
        return y


model = tf.keras.Sequential([Probe(), tf.keras.layers.Dense(4)])
model.compile("sgd", "mse")
x = np.zeros((4096, 256), np.float32)
model.fit(x, np.zeros((4096, 4)), epochs=2, verbose=0)
