# expect: out-of-memory-killed proven
# looks-like: memory-leak
# ends: SIGKILL
# memory: 1000
# needs: tensorflow long
#
# The weights fit; Adam's two numbers for each of them do not.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8192),
                             tf.keras.layers.Dense(8192)])
model.compile("adam", "mse")
model.fit(np.zeros((8, 4096), np.float32), np.zeros((8, 8192)),
          batch_size=1, verbose=0)
