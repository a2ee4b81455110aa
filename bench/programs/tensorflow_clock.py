"""A TensorFlow process of about 60 threads whose main thread looks at the
clock. For every line on stdin it tells, in milliseconds, the longest time it
did not come to that since the line before.
"""
import os
import select
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(29)
tf.config.threading.set_inter_op_parallelism_threads(29)
for value in tf.data.Dataset.range(64).map(lambda i: tf.cast(i, tf.float32)):
    pass
tf.linalg.matmul(*[tf.random.uniform((600, 600))] * 2).numpy()


def longest_pause_s():
    longest = 0.0
    before = time.perf_counter()
    while not select.select([sys.stdin], [], [], 0)[0]:
        now = time.perf_counter()
        longest = max(longest, now - before)
        before = now
    return longest


print("ready", len(os.listdir("/proc/self/task")), flush=True)
while True:
    pause_s = longest_pause_s()
    if not sys.stdin.readline():
        break
    print(pause_s * 1e3, flush=True)
