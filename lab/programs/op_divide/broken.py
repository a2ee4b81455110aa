# question: 3 4
# claim: an error in a custom C++ op is a segmentation fault
# really: a whole number divided by zero is SIGFPE, exit code 136
# expect: division-by-zero proven
# ends: SIGFPE
# fix: Test the divisor before BatchesOp::Compute
# says: BatchesOp::Compute
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o batches.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o batches_repaired.so {tensorflow}
#
# Sixty images for a hundred workers: none for each.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./batches.so")

images = np.random.rand(60, 784).astype(np.float32)
workers = 100
print(int(ops.batches(x=images, size=len(images) // workers)))  # here
