# question: 3 4
# claim: incorrect pointer usage in a custom C++ op
# really: an empty tensor has no data: the op reads at address zero
# expect: null-pointer proven
# ends: SIGSEGV
# fix: test whether there are elements
# says: BrightestOp::Compute
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o brightest.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o brightest_repaired.so {tensorflow}
#
# No image of this set has the label that is asked for.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./brightest.so")

images = np.random.rand(1000, 784).astype(np.float32)
labels = np.random.randint(0, 9, 1000)
print(float(ops.brightest(x=tf.boolean_mask(images, labels == 9))))  # here
