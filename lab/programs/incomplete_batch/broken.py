# question: 1
# claim: an incomplete batch is read beyond its end
# really: the last batch is only smaller; a tensor knows its shape
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# 1,000 images in batches of 64: the last one has 40.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(1000, 28, 28).astype(np.float32)
y_train = np.random.randint(0, 10, 1000)

model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
for i in range(0, 1000, 64):
    print(i, model.train_on_batch(x_train[i:i + 64], y_train[i:i + 64]))
