# question: 2
# claim: a batch of 1024 is too large for the memory and crashes the program
# really: 1024 MNIST images need little; a batch that needs more than the limit is killed by the kernel, exit 137
# expect: out-of-memory-killed proven
# ends: SIGKILL
# memory: 1000
# run: --batch 6000
# fix: fewer samples at a time
# fix@tensorflow-2.11-py39: fewer samples at a time|Use less memory
# confirm: proven tested -- --param batch=256 --only parameter --runs 4 --time 400
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The first step of mnist-deep.py, on as many images as are asked for.
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

x_batch, y_batch = x_train[:batch_size], y_train[:batch_size]
with tf.GradientTape() as tape:
    predictions = model(x_batch, training=True)  # here
    loss = loss_fn(y_batch, predictions)
gradients = tape.gradient(loss, model.trainable_variables)
print(float(loss))
