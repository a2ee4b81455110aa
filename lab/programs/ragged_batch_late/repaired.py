# Each batch is padded to its largest image.
import tensorflow as tf


def image(number):
    size = tf.where(number % 10 == 0, 32, 28)
    return tf.random.uniform((size, size, 1)), number % 10


dataset = tf.data.Dataset.range(64).map(image)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 3, padding="same", input_shape=(None, None, 1)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset.padded_batch(16), epochs=1, verbose=0)
