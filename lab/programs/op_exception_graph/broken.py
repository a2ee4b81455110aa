# question: 3 4
# claim: a custom C++ op that throws an exception
# really: below tf.function it is thrown on a thread where nobody can catch it: abort
# expect: uncaught-cpp-exception proven
# ends: SIGABRT
# fix: before it leaves ParseOp::Compute
# says: std::invalid_argument
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# shares: op_exception/op.cc
# build: g++ -g -O1 -w -shared -fPIC op.cc -o parse.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o parse_repaired.so {tensorflow}
#
# The same op as in op_exception, traced to a graph.
import tensorflow as tf

ops = tf.load_op_library("./parse.so")


@tf.function
def mean_of(fields):
    halves = tf.split(fields, 2)
    return tf.reduce_mean(ops.parse(text=halves[0])) + tf.reduce_mean(ops.parse(text=halves[1]))


line = ",".join(["0.5"] * 783 + [""])
mean = mean_of(tf.constant(line.split(",")))  # here
print(float(mean))
