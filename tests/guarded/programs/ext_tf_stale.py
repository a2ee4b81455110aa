# expect: use-after-free proven
# block: 65536 ext_tf_stale.py:18
# ends: exit 0
# needs: tensorflow long
# run: {lib}
# lib-build: -O1 {tensorflow}
#
# The op keeps the address of its last input, not the tensor: the next step reads
# what has been freed.
import sys

import tensorflow as tf

ops = tf.load_op_library(sys.argv[1])


def step(number):
    x = tf.fill([16384], float(number))
    return ops.momentum(x=x)


for number in range(3):
    y = step(number)
print(y.shape)
