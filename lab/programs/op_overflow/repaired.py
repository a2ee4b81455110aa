# The op asks the input how long it is.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./smooth_repaired.so")

images = np.random.rand(16).astype(np.float32)
smoothed = ops.smooth(x=images, window=64 << 20)
print(smoothed.shape)
