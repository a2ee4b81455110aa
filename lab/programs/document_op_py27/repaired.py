# One output, allocated once, and written to.
import tensorflow as tf

ops = tf.load_op_library("./my_custom_op_repaired.so")

with tf.compat.v1.Session() as session:
    print(session.run(ops.my_custom_op(input=[1.0])))
