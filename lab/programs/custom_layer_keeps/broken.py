# question: 2
# claim: a custom layer leaks
# really: one that keeps the tensors of every call does, if it is called eagerly: exit 137. In fit() it keeps two
# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# says: PROVEN out-of-memory-killed
# says: activations` keeps growing
# fix: activations
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# "To look at them later": every activation of every step.
import numpy as np
import tensorflow as tf


class Recorded(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units, activation="relu")
        self.activations = []

    def call(self, x):
        y = self.dense(x)
        self.activations.append(y)  # here
        return y


x_train = np.random.rand(1024, 784).astype(np.float32)
layer = Recorded(1024)
for step in range(5000):
    y = layer(x_train)
print(float(tf.reduce_mean(y)))
