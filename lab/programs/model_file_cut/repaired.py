# The whole file.
import sys

import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
path = sys.argv[1]
model.save(path)
again = tf.keras.models.load_model(path)
