# expect: memory-leak strong
# ends: SIGKILL
# memory: 900
# needs: tensorflow
# says: STRONG memory-leak list `gathered` keeps growing
# says: float32 tensors \(1024, 1024\)
# says: tf_gradients\.py:19
#
# Gradients are gathered over four steps and applied, and nobody empties the
# list.
import tensorflow as tf

weights = tf.Variable(tf.random.normal([1024, 1024]))
x = tf.random.normal([1024, 1024])
gathered = []
for step in range(100000):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x, weights) ** 2)
    gathered.append(tape.gradient(loss, weights))
    if step % 4 == 3:
        weights.assign_sub(0.01 * tf.add_n(gathered[-4:]) / 4)
