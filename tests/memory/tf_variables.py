# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# needs: tensorflow long
# says: STRONG memory-leak list `averages` keeps growing
# says: tf_variables\.py:16
#
# A new tf.Variable at every step where one was meant to be assigned to.
import tensorflow as tf

x = tf.random.normal([1024, 1024])
averages = []
for step in range(100000):
    y = tf.matmul(x, x) / 1024.0
    y = tf.matmul(y, y) / 1024.0
    averages.append(tf.Variable(y))
