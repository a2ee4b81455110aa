# question: 4
# claim: this op leaks or leaves a dangling pointer, which leads to a segmentation fault
# really: neither; it sets one output twice, and TensorFlow's own check aborts on the first call
# expect: failed-check proven
# ends: SIGABRT
# fix: MyCustomOpOp::Compute.*set_output
# says: outputs_\[index\].tensor == nullptr
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o my_custom_op.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o my_custom_op_repaired.so {tensorflow}
#
# As printed it does not even compile.
import tensorflow as tf

ops = tf.load_op_library("./my_custom_op.so")

doubled = ops.my_custom_op(input=[1.0])  # here
print(float(doubled))
