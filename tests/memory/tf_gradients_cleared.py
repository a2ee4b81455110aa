# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 900
# needs: tensorflow long
#
# The same, and the list is emptied when it has been used.
import tensorflow as tf

weights = tf.Variable(tf.random.normal([1024, 1024]))
x = tf.random.normal([1024, 1024])
gathered = []
for step in range(80):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x, weights) ** 2)
    gathered.append(tape.gradient(loss, weights))
    if step % 4 == 3:
        weights.assign_sub(0.01 * tf.add_n(gathered) / 4)
        gathered.clear()
