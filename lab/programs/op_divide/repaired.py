# The op says that it cannot divide by that.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./batches_repaired.so")

images = np.random.rand(60, 784).astype(np.float32)
workers = 100
try:
    print(int(ops.batches(x=images, size=len(images) // workers)))
except tf.errors.InvalidArgumentError as error:
    print(error)
