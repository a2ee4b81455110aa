# The op gives back what it asked for.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./centre_repaired.so")

images = np.random.rand(1000, 784).astype(np.float32)
weights = np.random.rand(784, 512).astype(np.float32)
for step in range(340):
    centred = ops.centre(x=images)
    hidden = tf.nn.relu(tf.matmul(centred, weights))
print(hidden.shape)
