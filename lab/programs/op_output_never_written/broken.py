# question: 4
# claim: the output tensor is created, but nothing is copied to it
# really: it holds what was in that memory before; used as an index, that is an address nowhere
# expect: uninitialised-read|out-of-bounds|wild-pointer plausible
# ends: SIGSEGV
# says: TakeOp::Compute
# confirm: proven -- --only guarded_heap --runs 2 --time 300
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o order.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o order_repaired.so {tensorflow}
#
# A hundred images are not labelled and have no brightness; their places stay empty.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./order.so")

brightness = np.random.rand(2000).astype(np.float32)
brightness[:100] = np.nan
for epoch in range(3):
    scaled = [float(tf.reduce_sum(brightness * 0.5 + n)) for n in range(20)]
    order = ops.order(brightness=brightness)
    print(ops.take(x=brightness, order=order).shape)  # here
