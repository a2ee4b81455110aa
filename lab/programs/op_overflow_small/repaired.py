# The op says what it was given instead of writing there.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./digits_repaired.so")

labels = np.arange(640, dtype=np.int32) % 10
labels[191] = 13
for start in range(0, 640, 64):
    try:
        one_hot = ops.digits(labels=labels[start:start + 64])
    except tf.errors.InvalidArgumentError as error:
        print(error)
    weights = [tf.random.normal([n]) for n in range(1, 200)]
print(one_hot.shape)
