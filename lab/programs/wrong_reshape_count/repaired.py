# The number follows from the others.
import numpy as np
import tensorflow as tf

images = np.random.rand(1000, 28, 28).astype(np.float32)
flat = tf.reshape(images, (1000, -1))
print(tf.reduce_mean(flat))
