# question: 4
# claim: changing a NumPy array after tf.constant() took it may lead to a segmentation fault
# really: tf.constant() copies; it prints 1, 2, 3
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# The document's program, in a session as then.
import numpy as np
import tensorflow as tf

with tf.Graph().as_default(), tf.compat.v1.Session() as sess:
    x = np.array([1, 2, 3], dtype=np.float32)
    tf_x = tf.constant(x)

    x += 10

    y = sess.run(tf_x)
    print(y)
    assert y.tolist() == [1, 2, 3]
