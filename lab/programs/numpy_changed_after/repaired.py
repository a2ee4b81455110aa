# A new array instead of += 10.
import numpy as np
import tensorflow as tf

with tf.Graph().as_default(), tf.compat.v1.Session() as sess:
    x = np.array([1, 2, 3], dtype=np.float32)
    tf_x = tf.constant(x)

    x = x + 10

    y = sess.run(tf_x)
    print(y)
    assert y.tolist() == [1, 2, 3]
