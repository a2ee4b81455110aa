# The data set in batches that is said to help.
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
print(model.evaluate(tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(32), verbose=0))
