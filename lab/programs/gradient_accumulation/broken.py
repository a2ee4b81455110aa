# question: 2
# claim: gradient accumulation can leak
# really: it does if nobody empties the list: exit 137
# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# says: PROVEN out-of-memory-killed
# says: list `gathered` keeps growing
# fix: gathered
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The gradients of four steps are applied together; the list goes on.
import tensorflow as tf

x_batch = tf.random.normal([128, 784])
weights = tf.Variable(tf.random.normal([784, 2048]))
gathered = []
for step in range(5000):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x_batch, weights) ** 2)
    gathered.append(tape.gradient(loss, weights))  # here
    if step % 4 == 3:
        weights.assign_sub(0.01 * tf.add_n(gathered[-4:]) / 4)
