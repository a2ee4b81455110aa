# The cast that is said to help; it only scales.
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
model.fit(x_train.astype(np.float32) / 255.0, y_train, epochs=1, verbose=0)
