# Tensors that fit.
import tensorflow as tf

a = tf.random_normal([4, 4, 64, 64], dtype=tf.float32)
b = tf.random_normal([4, 4, 64, 64], dtype=tf.float32)
c = tf.matmul(a, b)

with tf.Session() as sess:
    sess.run(c)
