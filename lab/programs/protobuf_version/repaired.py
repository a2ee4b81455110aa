# The protobuf that TensorFlow asks for.
import tensorflow as tf

print(tf.reduce_sum(tf.ones([28, 28])).numpy())
