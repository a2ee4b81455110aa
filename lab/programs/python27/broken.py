# question: 4
# claim: two tensors of 1024^4 floats exhaust the GPU's memory and segfault
# really: without a GPU the allocation is refused in an exception: 4 TiB
# expect: impossible-allocation proven
# ends: exit 1
# says: 1024
# on: tensorflow-1.15-py27
#
# The document's program without its device line, which alone ends in "Cannot assign a device".
import tensorflow as tf

a = tf.random_normal([1024, 1024, 1024, 1024], dtype=tf.float32)
b = tf.random_normal([1024, 1024, 1024, 1024], dtype=tf.float32)
c = tf.matmul(a, b)

with tf.Session() as sess:
    sess.run(c)  # here
