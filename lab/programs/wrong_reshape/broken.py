# question: 3
# claim: (100, 100) reshaped to (1000, 10) is invalid and segfaults
# really: 10,000 elements are 10,000 elements
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The document's "incorrect reshaping".
import tensorflow as tf

tensor = tf.random.normal((100, 100))
reshaped_tensor = tf.reshape(tensor, (1000, 10))
result = tf.reduce_mean(reshaped_tensor)
print(result)
