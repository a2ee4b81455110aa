# question: 1
# claim: uint8 images given to a float model often segfault
# really: fit runs to its end; the pixels are only scaled worse, and the loss is higher
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
# quick: tensorflow
#
# Keras casts what it is given.
import numpy as np
import tensorflow as tf

x_train = np.random.randint(0, 256, (6000, 28, 28)).astype(np.uint8)
y_train = np.random.randint(0, 10, 6000)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=1, verbose=0)
