# question: 1
# claim: an incomplete batch is read beyond its end
# really: code that counts on 64 images meets 40 in the last batch, and TensorFlow refuses in an exception
# expect: shape-mismatch strong unsaid
# ends: exit 1
# says: 40
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# Noise for a full batch, made once before the loop.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(1000, 28, 28).astype(np.float32)
noise = tf.random.normal([64, 28, 28], stddev=0.1)

dataset = tf.data.Dataset.from_tensor_slices(x_train).batch(64)
for batch in dataset:
    noisy = batch + noise  # here
    print(noisy.shape)
