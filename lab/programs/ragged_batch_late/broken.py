# question: 5
# claim: a batch of tensors of different shapes makes protobuf access invalid memory
# really: batch() refuses them in an exception, in the middle of fit()
# expect: ragged-batch strong unsaid
# ends: exit 1
# fix: padded_batch
# seconds: 240
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# Images that a generator gives one by one, of different sizes, as an augmentation may leave them.
import numpy as np
import tensorflow as tf


def images():
    for i in range(64):
        size = 28 if i % 10 else 32
        yield np.random.rand(size, size, 1).astype(np.float32), i % 10


dataset = tf.data.Dataset.from_generator(images, output_signature=(
    tf.TensorSpec((None, None, 1), tf.float32), tf.TensorSpec((), tf.int32)))

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, padding="same", input_shape=(None, None, 1)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset.batch(16), epochs=1, verbose=0)  # here
