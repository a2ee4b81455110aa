# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 900
# needs: tensorflow long
#
# The data as a NumPy array, and once more as a tensor.
import numpy as np
import tensorflow as tf

images = np.random.default_rng(7).random((100, 1024, 1024), dtype=np.float32)
tensor = tf.constant(images)
print(float(tf.reduce_mean(tensor)))
