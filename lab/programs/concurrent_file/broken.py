# question: 5
# claim: files that another process changes meanwhile corrupt protobuf structures
# really: a mapped file that becomes shorter kills with SIGBUS, exit 135, wherever its data is touched next
# expect: mapped-file-truncated proven
# ends: SIGBUS
# says: x_train\.npy
# fix: rename|another name
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# quick: tensorflow
#
# The data set is mapped and read epoch by epoch; before the second another process starts to write it anew.
import subprocess
import sys

import numpy as np
import tensorflow as tf

np.save("x_train.npy", np.random.rand(6000, 784).astype(np.float32))
x_train = np.load("x_train.npy", mmap_mode="r")
weights = tf.random.normal([784, 10])

for epoch in range(2):
    for i in range(0, 6000, 1000):
        batch = np.array(x_train[i:i + 1000])  # here
        logits = tf.matmul(batch, weights)
    print("epoch", epoch, float(tf.reduce_mean(logits)), flush=True)
    subprocess.check_call([sys.executable, "-c", "open('x_train.npy', 'wb').close()"])
