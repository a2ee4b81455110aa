# With a cleanup by hand, which nothing needs.
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
del model
tf.keras.backend.clear_session()
