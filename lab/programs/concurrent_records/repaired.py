# The writer makes its file under another name and renames it when it is whole.
import subprocess
import sys

import numpy as np
import tensorflow as tf

path = "images.tfrecord"
WRITER = """
import os
records = open("images.tfrecord", "rb").read()
file = open("images.new", "wb")
file.write(records[:40 * (784 * 4 + 16) - 7])
file.flush()
print("at it", flush=True)
file.write(records[40 * (784 * 4 + 16) - 7:])
file.close()
os.replace("images.new", "images.tfrecord")
"""

with tf.io.TFRecordWriter(path) as records:
    for i in range(500):
        records.write(np.full(784, i, np.float32).tobytes())

writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
writer.stdout.readline()

total = 0
for record in tf.data.TFRecordDataset(path):
    total += float(tf.reduce_sum(tf.io.decode_raw(record, tf.float32)))
print(total)
writer.wait()
