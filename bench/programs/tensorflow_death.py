"""A TensorFlow process of about 60 threads.

tensorflow_death.py crash   reads through a null pointer in native code
tensorflow_death.py wait    says "ready" and waits to be looked at
"""
import ctypes
import mmap
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(29)
tf.config.threading.set_inter_op_parallelism_threads(29)


@tf.function
def step(x):
    return tf.linalg.matmul(x, x) + tf.reduce_sum(x)


for value in tf.data.Dataset.range(64).map(lambda i: tf.cast(i, tf.float32)):
    pass
step(tf.random.uniform((600, 600))).numpy()

# as many memory-mapped shards as a data pipeline may hold
with open(__file__, "rb") as file:
    shards = [mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
              for _ in range(200)]

with open("/proc/self/maps") as maps:
    mappings = sum(1 for _ in maps)
print("ready", len(os.listdir("/proc/self/task")), mappings, flush=True)
if sys.argv[1] == "crash":
    ctypes.string_at(0)
sys.stdin.read()
