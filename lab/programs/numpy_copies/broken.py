# question: 2
# claim: np.array() and convert_to_tensor() make unnecessary copies, which exhaust the memory
# really: each copy goes when its step ends; 500 steps under a limit of 1 GiB
# expect: none
# ends: exit 0
# memory: 1024
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# The document's two lines, in a loop.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(10000, 784).astype(np.float32)
batch_size = 1024

tf.compat.v1.enable_eager_execution()
weights = tf.Variable(tf.random.normal([784, 10]))
for step in range(500):
    x_batch = np.array(x_train[0:batch_size])
    x_tensor = tf.convert_to_tensor(x_batch, dtype=tf.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x_tensor, weights) ** 2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
print(float(loss))
