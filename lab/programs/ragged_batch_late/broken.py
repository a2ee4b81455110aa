# question: 5
# claim: a batch of tensors of different shapes makes protobuf access invalid memory
# really: batch() refuses them in an exception, in the middle of fit()
# expect: ragged-batch strong unsaid
# ends: exit 1
# fix: padded_batch
# seconds: 240
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# Images of different sizes, as an augmentation may leave them. They are made by TensorFlow itself: with a Python
# generator this version sometimes never ends after the exception (the thread that reads ahead waits for the GIL, the
# end of the interpreter waits for the thread), with and without sigwhy.
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
model.fit(dataset.batch(16), epochs=1, verbose=0)  # here
