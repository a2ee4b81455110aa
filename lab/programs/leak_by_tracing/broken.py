# question: 3
# claim: graph mode without proper cleanup exhausts the memory
# really: a tf.function that gets a new Python number at every step is traced anew each time, and every graph is kept
# expect: memory-leak strong
# ends: SIGKILL
# memory: 700
# seconds: 240
# says: PROVEN out-of-memory-killed
# says: tf\.function `train_step` is traced anew
# fix: tensor
# expect@tensorflow-2.11-py39: out-of-memory-killed proven
# says@tensorflow-2.11-py39: native code may leak
# fix@tensorflow-2.11-py39: .
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# A learning rate that falls a little at every step. In 2.11 the kept graphs are not among the forty types of objects
# that a case counts, and the report stays shallow.
import numpy as np
import tensorflow as tf

x_train = np.random.rand(128, 784).astype(np.float32)
weights = tf.Variable(tf.random.normal([784, 10]))


@tf.function
def train_step(rate):
    error = tf.matmul(x_train, weights)
    weights.assign_sub(rate * tf.matmul(x_train, error, transpose_a=True) / 128)


for step in range(10000):
    train_step(0.1 / (step + 1))  # here
