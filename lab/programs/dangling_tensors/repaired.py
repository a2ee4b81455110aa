# The bounded deque of the document: less memory, not more safety.
from collections import deque

import tensorflow as tf

tensors = deque(maxlen=500)
for i in range(1000):
    tensor = tf.random.normal((200, 200))
    tensors.append(tensor)
    if i > 500:
        result = tf.reduce_sum(tensors[0])
        tensors.popleft()
        del tensor
print(result)
