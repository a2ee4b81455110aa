# question: 3
# claim: a wrong reshape segfaults
# really: where the numbers of elements differ TensorFlow refuses in an exception
# expect: shape-mismatch proven
# ends: exit 1
# says: `images` \(1000, 28, 28\) has 784,000 elements
# fix: -1
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# 28 x 28 pixels are 784, not 782.
import numpy as np
import tensorflow as tf

images = np.random.rand(1000, 28, 28).astype(np.float32)
flat = tf.reshape(images, (1000, 782))  # here
print(tf.reduce_mean(flat))
