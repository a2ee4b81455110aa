# A number for each step.
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


for step in range(300):
    loss, noisy = train_step(x_train)
    history.append(float(loss))
