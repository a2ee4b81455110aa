# question: 5
# claim: concurrent reading and writing corrupts protobuf structures, and fit() segfaults
# really: TFRecord has checksums and lengths: reading ends in an exception
# expect: file-contention strong
# ends: exit 1
# says: images\.tfrecord
# fix: rename
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The records are read while another process writes the next version of the same file.
import subprocess
import sys

import numpy as np
import tensorflow as tf

path = "images.tfrecord"
WRITER = """
import signal
records = open("images.tfrecord", "rb").read()
file = open("images.tfrecord", "wb")
file.write(records[:40 * (784 * 4 + 16) - 7])
file.flush()
print("at it", flush=True)
signal.alarm(60)
signal.pause()
"""

with tf.io.TFRecordWriter(path) as records:
    for i in range(500):
        records.write(np.full(784, i, np.float32).tobytes())

writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
writer.stdout.readline()

total = 0
for record in tf.data.TFRecordDataset(path):  # here
    total += float(tf.reduce_sum(tf.io.decode_raw(record, tf.float32)))
print(total)
