# expect: out-of-bounds proven
# block: 262144 ext_tf_gather.py:17
# ends: exit 0
# may-miss: TensorFlow keeps tensors of 256 KiB and more in a pool of its own
# needs: tensorflow long
# run: {lib}
# lib-build: -O1 {tensorflow}
#
# Ids that count from 1 look a row up in a table of rows that count from 0: the
# last id reads the row behind the table. Where oneDNN is on, that is another
# tensor's place in TensorFlow's pool.
import sys

import tensorflow as tf

ops = tf.load_op_library(sys.argv[1])
table = tf.ones([64, 1024])
ids = tf.constant([1, 2, 64])
if sys.argv[-1] == "repaired":
    ids = ids - 1
print(ops.row_sums(table=table, ids=ids).shape)
