# The batch says how large it is.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(1000, 28, 28).astype(np.float32)

dataset = tf.data.Dataset.from_tensor_slices(x_train).batch(64)
for batch in dataset:
    noisy = batch + tf.random.normal(tf.shape(batch), stddev=0.1)
    print(noisy.shape)
