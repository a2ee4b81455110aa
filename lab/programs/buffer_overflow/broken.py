# question: 3
# claim: a buffer overflow: reading behind the end of an array
# really: NumPy checks every index but those of as_strided, which believes what it is told
# expect: out-of-bounds proven
# ends: SIGSEGV
# fix: strides that stay inside
# says: windows
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# Windows over the pixels of a set: the step is in bytes, and somebody took it for elements.
import numpy as np
import tensorflow as tf
from numpy.lib.stride_tricks import as_strided

images = np.ones((10000, 784), np.float32)
windows = as_strided(images, shape=(10000, 784), strides=(784 * 4 * 4, 4))
batch = tf.constant(windows)  # here
print(batch.shape)
