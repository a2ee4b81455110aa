# question: 3 4
# claim: a memory leak in a custom C++ op
# really: killed when the memory is used up; nothing in Python holds it
# expect: memory-leak|out-of-memory-killed strong
# ends: SIGKILL
# says: when it is no longer used: what is allocated by CentreOp::Compute
# says: CentreOp::Compute\(\) op.cc:19
# memory: 1000
# seconds: 300
# options: --guard
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o centre.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o centre_repaired.so {tensorflow}
#
# Three MiB for every batch of a thousand images. From a sample of the blocks the guard tells how much came from one
# place; whether that is enough to call it strong depends on how many blocks it could record.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./centre.so")

images = np.random.rand(1000, 784).astype(np.float32)
weights = np.random.rand(784, 512).astype(np.float32)
for step in range(340):
    centred = ops.centre(x=images)  # here
    hidden = tf.nn.relu(tf.matmul(centred, weights))
print(hidden.shape)
