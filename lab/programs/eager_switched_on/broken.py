# question: 3
# claim: eager execution mends what segfaults in graph mode
# really: the advice changes where the same exception comes from; float32 times int32 is refused there too
# expect: dtype-mismatch strong
# ends: exit 1
# says: int32
# says: float32
# fix: dtype|float32
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The document's "improved" version.
import tensorflow as tf

tf.config.run_functions_eagerly(True)


def my_op(x):
    a = tf.constant([1, 2, 3])
    b = tf.multiply(x, a)  # here
    return b


tensor = tf.random.normal((1000, 3))
result = my_op(tensor)
print(result)
