# The same gradient, from small batches one after the other.
import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=64)
batch_size = parser.parse_args().batch

x_train = np.random.rand(6000, 28, 28, 1).astype(np.float32)
y_train = np.random.randint(0, 10, 6000)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu", input_shape=(28, 28, 1)),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

total = None
for i in range(0, batch_size, 256):
    x_batch, y_batch = x_train[i:i + 256], y_train[i:i + 256]
    with tf.GradientTape() as tape:
        predictions = model(x_batch, training=True)
        loss = loss_fn(y_batch, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    total = gradients if total is None else [a + b for a, b in zip(total, gradients)]
print(float(loss))
