# The other process writes under another name and renames: who has mapped the old file keeps it.
import subprocess
import sys

import numpy as np
import tensorflow as tf

np.save("x_train.npy", np.random.rand(6000, 784).astype(np.float32))
x_train = np.load("x_train.npy", mmap_mode="r")
weights = tf.random.normal([784, 10])

for epoch in range(2):
    for i in range(0, 6000, 1000):
        batch = np.array(x_train[i:i + 1000])
        logits = tf.matmul(batch, weights)
    print("epoch", epoch, float(tf.reduce_mean(logits)), flush=True)
    subprocess.check_call([sys.executable, "-c",
                           "import os; open('new.npy', 'wb').close(); os.replace('new.npy', 'x_train.npy')"])
