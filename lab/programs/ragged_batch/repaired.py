# Brought to one size before they become one array. (The document resizes in map(), which is never reached.)
import numpy as np
import tensorflow as tf


def create_dataset():
    images = [np.random.rand(100, 100, 3), np.random.rand(120, 120, 3), np.random.rand(80, 80, 3)]
    images = [tf.image.resize(image, [100, 100]).numpy() for image in images]
    labels = [0, 1, 0]
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    return dataset.batch(2)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, padding="same", input_shape=(None, None, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2),
])
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(create_dataset(), epochs=1, verbose=0)
