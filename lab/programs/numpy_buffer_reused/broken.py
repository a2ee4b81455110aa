# question: 4
# claim: changing a NumPy array after passing it may lead to a segmentation fault
# really: from_generator() passes the array itself on: one that reuses its buffer gives wrong data, without a word
# expect: none
# ends: exit 0
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
#
# Three batches of 0, 1 and 2; what is kept of each shows what the buffer holds at the end. No crash, so nothing for a
# tool that explains crashes.
import numpy as np
import tensorflow as tf

raw = np.empty(4096 * 4 + 64, np.uint8)
start = -raw.ctypes.data % 64  # only where it is aligned for TensorFlow is the array itself passed on
buffer = raw[start:start + 4096 * 4].view(np.float32)


def batches():
    for i in range(3):
        buffer[...] = i
        yield buffer


dataset = tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec(buffer.shape, tf.float32))
kept = [float(batch[0]) for batch in list(dataset)]
print("expected [0, 1, 2], got", kept)
assert kept != [0, 1, 2]
