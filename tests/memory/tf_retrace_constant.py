# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 440
# needs: tensorflow long
#
# The same with a tensor as argument: one trace.
import tensorflow as tf


@tf.function
def decay(x, rate):
    for _ in range(100):
        x = x * 0.99 + rate
    return x


x = tf.zeros([8])
for step in range(2000):
    decay(x, tf.constant(step * 1e-6))
