# expect: out-of-bounds proven
# block: 4000 WindowSum::Compute
# ends: SIGABRT
# needs: tensorflow long
# run: {lib}
# lib-build: -O1 {tensorflow}
#
# A TensorFlow op writes the tail of a sliding sum, which its output has no room
# for.
import sys

import tensorflow as tf

ops = tf.load_op_library(sys.argv[1])
y = ops.window_sum(x=tf.ones([1000]), window=64)
print(float(y[999]))
