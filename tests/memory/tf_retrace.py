# expect: memory-leak strong
# ends: SIGKILL
# memory: 440
# needs: tensorflow long
# env: TF_CPP_MIN_LOG_LEVEL=3
# says: STRONG memory-leak tf\.function `decay` is traced anew
# says: tf_retrace\.py:23
#
# A Python number as argument: every new value is a new trace, and every graph
# is kept.
import tensorflow as tf


@tf.function
def decay(x, rate):
    for _ in range(100):
        x = x * 0.99 + rate
    return x


x = tf.zeros([8])
for step in range(100000):
    decay(x, step * 1e-6)
