# question: 3 4
# claim: an array of the wrong shape given to a custom C++ op is a segmentation fault
# really: TensorFlow's own check sees it and aborts, exit code 134
# expect: failed-check proven
# ends: SIGABRT
# fix: look at what FirstRowOp::Compute
# fix@tensorflow-2.11-py39: look at what .* in first_row.so
# says: FirstRowOp::Compute
# says@tensorflow-2.11-py39: first_row.so
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o first_row.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o first_row_repaired.so {tensorflow}
#
# One image instead of a batch of one.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./first_row.so")

images = np.random.rand(1000, 784).astype(np.float32)
print(float(ops.first_row(x=images[0])))  # here
