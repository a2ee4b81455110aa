# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 1100
# needs: tensorflow long
# run: 20000
#
# A convolution on 20,000 images at once: its activations alone are 2 GB.
import sys

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([layers.Input((28, 28, 1)),
                             layers.Conv2D(32, 5, padding="same",
                                           activation="relu"),
                             layers.MaxPooling2D(), layers.Flatten(),
                             layers.Dense(10)])
images = np.zeros((int(sys.argv[1]), 28, 28, 1), np.float32)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(images, training=True) ** 2)
gradient = tape.gradient(loss, model.trainable_variables)
