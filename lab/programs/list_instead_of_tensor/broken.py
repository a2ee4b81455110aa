# question: 1
# claim: a Python list as a batch leads to incorrect memory allocation and a segmentation fault
# really: the model takes the list for one input after another, and says in an exception that it wants only one
# expect: not-an-array proven
# ends: exit 1
# says: `batch` is a list of 32 arrays \(28, 28\)
# fix: np\.stack\(batch\)
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# quick: tensorflow
#
# The training loop of the document: list(x_train) is a list of images, and a piece of it a list too.
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
        predictions = model(batch)  # here
        loss = loss_fn(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train_data = list(x_train)
for i in range(0, 320, 32):
    train_step(train_data[i:i + 32], y_train[i:i + 32])
