# The list is written by one thread at a time.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./ink_repaired.so")

images = np.random.rand(5000, 784).astype(np.float32)
for epoch in range(10):
    print(int(ops.ink(x=images)))
