# question: 4
# claim: old versions have bugs that end in a segmentation fault
# really: crop_and_resize() of TensorFlow 1.15 takes infinite boxes for positions in the image, exit 139
# expect: out-of-bounds|wild-pointer plausible
# ends: SIGSEGV
# on: tensorflow-1.15-py27
#
# Boxes in pixels are divided by the size of the image, which nobody has filled in.
from __future__ import print_function

import numpy as np
import tensorflow as tf

images = np.random.rand(4, 28, 28, 1).astype(np.float32)
boxes = np.array([[4, 4, 24, 24]] * 4, np.float32)
sizes = np.zeros((4, 1), np.float32)
with np.errstate(divide="ignore"):
    boxes = boxes / sizes

crops = tf.image.crop_and_resize(images, boxes, np.arange(4), (14, 14), method="nearest")
with tf.compat.v1.Session() as sess:
    print(sess.run(crops).shape)  # here
