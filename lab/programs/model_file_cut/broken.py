# question: 5
# claim: a corrupt model file segfaults
# really: the readers of .keras and .h5 notice it and raise an exception
# expect: corrupt-input strong
# ends: exit 1
# says: mnist\.(keras|h5)
# fix: mnist\.(keras|h5)
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# run@tensorflow-2.11-py39: mnist.h5
# run: mnist.keras
#
# The disk was full, or the copy was ended early.
import os
import sys

import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
path = sys.argv[1]
model.save(path)
os.truncate(path, os.path.getsize(path) // 2)
again = tf.keras.models.load_model(path)  # here
