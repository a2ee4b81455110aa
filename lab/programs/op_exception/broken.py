# question: 3 4
# claim: a custom C++ op that throws an exception
# really: it unwinds through TensorFlow into the Python binding, on a thread that does not hold the GIL
# expect: gil-not-held|uncaught-cpp-exception strong
# ends: SIGSEGV
# fix: Catch std::invalid_argument
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o parse.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o parse_repaired.so {tensorflow}
#
# One field of a file of pixels is empty.
import tensorflow as tf

ops = tf.load_op_library("./parse.so")

line = ",".join(["0.5"] * 783 + [""])
pixels = ops.parse(text=line.split(","))  # here
print(pixels.shape)
