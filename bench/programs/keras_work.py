"""A small Keras model, trained: imports, graph building, steps, threads.

More work is more steps, not more epochs: Keras starts threads in each epoch.
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
samples = 2048 * int(sys.argv[1])
x = rng.random((samples, 28, 28, 1), dtype=np.float32)
y = rng.integers(0, 10, samples)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y, epochs=2, batch_size=64, verbose=0)
