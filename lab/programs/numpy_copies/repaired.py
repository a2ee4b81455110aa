# One conversion before the loop: a little less work, no more.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(10000, 784).astype(np.float32)
batch_size = 1024

tf.compat.v1.enable_eager_execution()
weights = tf.Variable(tf.random.normal([784, 10]))
x_tensor = tf.convert_to_tensor(x_train[0:batch_size], dtype=tf.float32)
for step in range(500):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x_tensor, weights) ** 2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
print(float(loss))
