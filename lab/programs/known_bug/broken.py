# question: 4
# claim: old versions have bugs that end in a segmentation fault
# really: TensorFlow 1.15 divides by the number of input channels of a filter; with none it dies of SIGFPE, exit 136
# expect: division-by-zero proven
# ends: SIGFPE
# says: Known
# says: CVE-2021-\d+
# on: tensorflow-1.15-py27
#
# Only the channels that vary are used. In a set of blank images none does.
from __future__ import print_function

import numpy as np
import tensorflow as tf

images = np.zeros((64, 28, 28, 3), np.float32)
keep = images.var(axis=(0, 1, 2)) > 0.01
filters = np.random.rand(3, 3, keep.sum(), 8).astype(np.float32)

x = tf.compat.v1.placeholder(tf.float32, [None, 28, 28, None])
w = tf.compat.v1.placeholder(tf.float32, [3, 3, None, 8])
y = tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME")
with tf.compat.v1.Session() as sess:
    print(sess.run(y, {x: images[..., keep], w: filters}).shape)  # here
