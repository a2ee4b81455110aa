# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 1100
# needs: tensorflow
# says: predict\(\) keeps every result until it returns
# says: tf_predict\.py:18
#
# predict() gathers the outputs of all batches and joins them at the end: a
# steady climb, and no leak.
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([layers.Input((28, 28, 1)),
                             layers.Conv2D(64, 3, padding="same")])
x = np.zeros((8000, 28, 28, 1), np.float32)
print(model.predict(x, batch_size=32, verbose=0).nbytes)
