# question: 5
# claim: several processes reading data for a model corrupt it and segfault
# really: a process that was forked after TensorFlow ran has none of its threads: it waits for them for ever
# expect: fork-after-threads strong
# ends: SIGKILL|SIGTERM
# fix: spawn
# options: --hang 12 --on-hang kill
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# multiprocessing forks on Linux before Python 3.14, unless told otherwise.
import multiprocessing

import numpy as np
import tensorflow as tf


def scaled(start):
    images = np.full((2000, 784), start, np.float32)
    return float(tf.reduce_sum(tf.matmul(images, images, transpose_b=True)))  # here


if __name__ == "__main__":
    print(scaled(1))
    pool = multiprocessing.get_context("fork").Pool(2)
    print(pool.map(scaled, range(4)))
    pool.close()
