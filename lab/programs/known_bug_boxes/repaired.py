# The size of the image.
from __future__ import print_function

import numpy as np
import tensorflow as tf

images = np.random.rand(4, 28, 28, 1).astype(np.float32)
boxes = np.array([[4, 4, 24, 24]] * 4, np.float32)
sizes = np.full((4, 1), 28, np.float32)
with np.errstate(divide="ignore"):
    boxes = boxes / sizes

crops = tf.image.crop_and_resize(images, boxes, np.arange(4), (14, 14), method="nearest")
with tf.compat.v1.Session() as sess:
    print(sess.run(crops).shape)
