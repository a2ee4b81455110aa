# A copy for each batch.
import numpy as np
import tensorflow as tf

raw = np.empty(4096 * 4 + 64, np.uint8)
start = -raw.ctypes.data % 64
buffer = raw[start:start + 4096 * 4].view(np.float32)


def batches():
    for i in range(3):
        buffer[...] = i
        yield buffer.copy()


dataset = tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec(buffer.shape, tf.float32))
kept = [float(batch[0]) for batch in list(dataset)]
print("expected [0, 1, 2], got", kept)
assert kept == [0, 1, 2]
