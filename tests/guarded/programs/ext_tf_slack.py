# expect: heap-corruption proven
# block: 120012 Padded::Compute
# ends: exit 0
# needs: tensorflow long
# run: {lib}
# lib-build: -O1 {tensorflow}
#
# An op pads its work area to whole vectors and forgets to ask for the room. The
# four bytes lie in what TensorFlow's 64-byte alignment leaves over.
import sys

import tensorflow as tf

ops = tf.load_op_library(sys.argv[1])
print(float(ops.padded(x=tf.ones([30003]))))
