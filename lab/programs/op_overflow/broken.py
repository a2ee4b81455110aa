# question: 3 4
# claim: a buffer overflow in a custom C++ op
# really: it writes on until it meets a page that is not there
# expect: out-of-bounds strong
# ends: SIGSEGV
# says: SmoothOp::Compute
# confirm: proven
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o smooth.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o smooth_repaired.so {tensorflow}
#
# Sixteen values, and a window for a whole data set. Where the heap lies behind them, what Python keeps of its own frames
# is written over too: then only confirm can name the line.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./smooth.so")

images = np.random.rand(16).astype(np.float32)
smoothed = ops.smooth(x=images, window=64 << 20)
print(smoothed.shape)
