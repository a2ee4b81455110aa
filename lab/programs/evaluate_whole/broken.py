# question: 1
# claim: evaluate() on the entire test set at once exhausts memory, which shows as a segmentation fault
# really: evaluate() takes 32 at a time by itself
# expect: none
# ends: exit 0
# memory: 1100
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# A limit that holds the network and its data, not all of its results at once.
import numpy as np
import tensorflow as tf

x_test = np.random.rand(10000, 28, 28, 1).astype(np.float32)
y_test = np.random.randint(0, 10, 10000)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
print(model.evaluate(x_test, y_test, verbose=0))
