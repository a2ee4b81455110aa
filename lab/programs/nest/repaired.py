# A flat list.
import tensorflow as tf

history = [0.5]
for epoch in range(300000):
    history.append(0.5)
print(len(tf.nest.flatten(history)))
