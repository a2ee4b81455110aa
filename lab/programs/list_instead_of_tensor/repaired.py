# One array of 32 images.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(600, 28, 28).astype(np.float32)
y_train = np.random.randint(0, 10, 600)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()


def train_step(batch, labels):
    with tf.GradientTape() as tape:
        predictions = model(np.stack(batch))
        loss = loss_fn(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train_data = list(x_train)
for i in range(0, 320, 32):
    train_step(train_data[i:i + 32], y_train[i:i + 32])
