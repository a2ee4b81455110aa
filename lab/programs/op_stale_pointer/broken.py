# question: 3 4
# claim: a dangling pointer in a custom C++ op
# really: the op reads the tensor before, which TensorFlow has given back; oneDNN's allocator keeps such memory mapped
# expect: wild-pointer|use-after-free plausible
# ends: SIGSEGV
# says: DriftOp::Compute
# confirm: proven -- --only guarded_heap --runs 2 --time 300
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# env: TF_ENABLE_ONEDNN_OPTS=0
# build: g++ -g -O1 -w -shared -fPIC op.cc -o drift.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o drift_repaired.so {tensorflow}
#
# The kernel keeps the address of its last input; the tensor that it pointed into is counted by references. With
# oneDNN's allocator (the default on recent processors) nothing dies here, and the numbers are wrong.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./drift.so")


@tf.function(input_signature=[tf.TensorSpec([None, 784])])
def moved(batch):
    return ops.drift(x=batch)


x_train = np.ones((60000, 784), np.uint8)
x_test = np.ones((100, 784), np.uint8)
print(float(moved(tf.cast(x_train, tf.float32))))
print(float(moved(tf.cast(x_test, tf.float32))))  # here
