# What was counted is not counted again.
from __future__ import print_function

import sys

import tensorflow as tf

sys.setrecursionlimit(1000000)


def count_ops(op, seen):
    if op in seen:
        return 0
    seen.add(op)
    return 1 + sum(count_ops(source.op, seen) for source in op.inputs)


with tf.Graph().as_default():
    i = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])
    print(count_ops(i.op, set()))
