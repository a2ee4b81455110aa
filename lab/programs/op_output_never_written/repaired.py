# The op fills its output before anything else.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./order_repaired.so")

brightness = np.random.rand(2000).astype(np.float32)
brightness[:100] = np.nan
for epoch in range(3):
    scaled = [float(tf.reduce_sum(brightness * 0.5 + n)) for n in range(20)]
    order = ops.order(brightness=brightness)
    print(ops.take(x=brightness, order=order).shape)
