# question: 2
# claim: a custom layer without "crucial memory cleanup" leaks
# really: a layer has nothing to clean up; its weights are freed with it
# expect: none
# ends: exit 0
# memory: 1024
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# The document's layer, trained for a few epochs.
import numpy as np
import tensorflow as tf


class MyCustomLayer(tf.keras.layers.Layer):
    def __init__(self, units):
        super(MyCustomLayer, self).__init__()
        self.units = units
        self.w = self.add_weight(name="w", shape=(units, units), initializer="random_normal")

    def call(self, x):
        return tf.matmul(x, self.w)


x_train = np.random.rand(6000, 28, 28).astype(np.float32)
y_train = np.random.randint(0, 10, 6000)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    MyCustomLayer(784),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x_train, y_train, epochs=3, batch_size=128, verbose=0)
