# question: 1
# claim: a prediction for the whole set at once runs out of memory and ends in a segmentation fault
# really: predict() keeps the results of all batches; too many of them and the kernel kills it, exit 137
# expect: out-of-memory-killed proven
# ends: SIGKILL
# memory: 1100
# says: predict\(\) keeps every result until it returns
# fix: on parts of the data
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The features of 8,000 images: 200 KB for each.
import numpy as np
import tensorflow as tf

x_test = np.random.rand(8000, 28, 28, 1).astype(np.float32)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu", input_shape=(28, 28, 1)),
])
features = model.predict(x_test, batch_size=32, verbose=0)  # here
print(features.mean(axis=(0, 1, 2)))
