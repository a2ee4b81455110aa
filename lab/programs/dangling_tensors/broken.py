# question: 3
# claim: tensors that are deleted from a list dangle, and tensors[500] segfaults
# really: tensors are counted; one that can be reached is there
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# The document's loop with smaller tensors: its own needs 4 GB.
import tensorflow as tf

tensors = []
for i in range(1000):
    tensor = tf.random.normal((200, 200))
    tensors.append(tensor)
    if i % 100 == 0:
        del tensors[0]

result = tf.reduce_sum(tensors[500])
print(result)
