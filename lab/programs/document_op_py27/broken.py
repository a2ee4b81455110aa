# question: 4
# claim: this op leaks or leaves a dangling pointer, which leads to a segmentation fault
# really: neither; it sets one output twice, and TensorFlow's own check aborts on the first call
# expect: failed-check proven
# ends: SIGABRT
# fix: MyCustomOpOp::Compute.*set_output
# says: mutable_output\(index\) == nullptr
# on: tensorflow-1.15-py27
# shares: document_op/op.cc
# build: g++ -std=c++14 -g -O1 -w -shared -fPIC op.cc -o my_custom_op.so {tensorflow}
# build: g++ -std=c++14 -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o my_custom_op_repaired.so {tensorflow}
#
# The same op as in document_op, on the Python and the TensorFlow that the question is about.
import tensorflow as tf

ops = tf.load_op_library("./my_custom_op.so")

with tf.compat.v1.Session() as session:
    print(session.run(ops.my_custom_op(input=[1.0])))  # here
