# The list is emptied when its gradients are applied.
import tensorflow as tf

x_batch = tf.random.normal([128, 784])
weights = tf.Variable(tf.random.normal([784, 2048]))
gathered = []
for step in range(400):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(x_batch, weights) ** 2)
    gathered.append(tape.gradient(loss, weights))
    if step % 4 == 3:
        weights.assign_sub(0.01 * tf.add_n(gathered) / 4)
        gathered.clear()
