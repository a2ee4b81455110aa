# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 1100
# needs: tensorflow long
#
# evaluate() on the same data keeps one number.
import numpy as np
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([layers.Input((28, 28, 1)),
                             layers.Conv2D(64, 3, padding="same"),
                             layers.GlobalAveragePooling2D()])
model.compile("sgd", "mse")
x = np.zeros((4000, 28, 28, 1), np.float32)
print(model.evaluate(x, np.zeros((4000, 64)), batch_size=32, verbose=0))
