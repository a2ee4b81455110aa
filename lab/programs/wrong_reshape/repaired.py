# The document's "correct reshaping": the same number of elements again.
import tensorflow as tf

tensor = tf.random.normal((100, 100))
reshaped_tensor = tf.reshape(tensor, (10000, 1))
result = tf.reduce_mean(reshaped_tensor)
print(result)
