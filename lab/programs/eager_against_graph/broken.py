# question: 3
# claim: in graph mode a segmentation fault arises after many calls
# really: the first call is refused in an exception: float32 times int32. With one dtype 2,000 calls end well
# expect: dtype-mismatch strong unsaid
# ends: exit 1
# says: int32
# says: float32
# fix: dtype
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The document's function, as printed; the tensor has three columns so that only the dtype is wrong.
import tensorflow as tf


@tf.function
def my_op(x):
    a = tf.constant([1, 2, 3])
    b = tf.multiply(x, a)
    return b


tensor = tf.random.normal((1000, 3))
for step in range(2000):
    result = my_op(tensor)  # here
print(result)
