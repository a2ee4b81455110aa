# Each batch is padded to its largest image.
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
model.fit(dataset.padded_batch(16), epochs=1, verbose=0)
