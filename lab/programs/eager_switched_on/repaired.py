# One dtype; eager or not makes no difference.
import tensorflow as tf

tf.config.run_functions_eagerly(True)


def my_op(x):
    a = tf.constant([1, 2, 3], dtype=tf.float32)
    b = tf.multiply(x, a)
    return b


tensor = tf.random.normal((1000, 3))
result = my_op(tensor)
print(result)
