# One dtype.
import tensorflow as tf


@tf.function
def my_op(x):
    a = tf.constant([1, 2, 3], dtype=tf.float32)
    b = tf.multiply(x, a)
    return b


tensor = tf.random.normal((1000, 3))
for step in range(2000):
    result = my_op(tensor)
print(result)
