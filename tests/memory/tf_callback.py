# expect: memory-leak strong
# ends: SIGKILL
# memory: 1000
# needs: tensorflow long
# says: memory-leak \w+ `[\w.]*outputs` keeps growing
# says: tf_callback\.py:21
#
# A Keras callback that keeps the model's output after every batch.
import numpy as np
import tensorflow as tf

probe = np.random.default_rng(7).random((1024, 256), dtype=np.float32)


class Watch(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def on_train_batch_end(self, batch, logs=None):
        self.outputs.append(np.asarray(self.model(probe)))


model = tf.keras.Sequential([tf.keras.layers.Dense(1024)])
model.compile("sgd", "mse")
watch = Watch()
model.fit(np.zeros((40000, 256), np.float32), np.zeros((40000, 1024), np.float16),
          batch_size=32, epochs=100, verbose=0, callbacks=[watch])
