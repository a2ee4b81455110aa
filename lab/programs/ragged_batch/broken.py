# question: 5
# claim: images of different sizes corrupt the protobuf of the data set, and fit() segfaults
# really: from_tensor_slices() refuses them in an exception; no protobuf is involved
# expect: ragged-batch strong
# ends: exit 1
# says: images
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The document's data set, without the try around it.
import numpy as np
import tensorflow as tf


def create_dataset():
    images = [np.random.rand(100, 100, 3), np.random.rand(120, 120, 3), np.random.rand(80, 80, 3)]
    labels = [0, 1, 0]
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))  # here
    return dataset.batch(2)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, padding="same", input_shape=(None, None, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2),
])
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(create_dataset(), epochs=1, verbose=0)
