# question: 4
# claim: segmentation fault 11 in Python 2.7 comes from TensorFlow's memory management
# really: endless recursion with the limit raised uses up the stack; Python 2.7 notices nothing, exit 139
# expect: stack-overflow proven
# ends: SIGSEGV
# says: count_ops
# on: tensorflow-1.15-py27
#
# "maximum recursion depth exceeded" was silenced by a larger limit. A loop in the graph has no end.
from __future__ import print_function

import sys

import tensorflow as tf

sys.setrecursionlimit(1000000)


def count_ops(op):
    return 1 + sum(count_ops(source.op) for source in op.inputs)  # here


with tf.Graph().as_default():
    i = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])
    print(count_ops(i.op))
