# question: 3
# claim: memory leaks lead to an out-of-memory condition, and that to a segmentation fault
# really: the kernel kills it, exit 137; no segmentation fault
# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# says: PROVEN out-of-memory-killed
# says: list `history` keeps growing
# fix: history
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# A training loop that notes loss and images of every step.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(1024, 784).astype(np.float32)
weights = tf.Variable(tf.random.normal([784, 10]))
history = []


def train_step(batch):
    noisy = batch + tf.random.normal(batch.shape, stddev=0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(noisy, weights) ** 2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss, noisy


for step in range(5000):
    loss, noisy = train_step(x_train)
    history.append((loss, noisy))  # here
