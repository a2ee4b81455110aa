# confirm: eager confirmed
# fix: tested
# python: tensorflow
# It dies while the graph is built, where an argument has no address yet.
import ctypes

import tensorflow as tf


@tf.function
def step(x):
    if not hasattr(x, "numpy"):
        ctypes.string_at(0x123456000)
    return x + 1


step(tf.constant(1.0))
