# question: 3 4
# claim: a race between the threads of a custom C++ op
# really: two threads grow one std::vector; it dies differently from run to run
# expect: heap-corruption|use-after-free|out-of-bounds|invalid-free|wild-pointer|data-race|unknown plausible
# ends: SIGSEGV|SIGABRT
# confirm: strong tested -- --only single_thread --runs 10 --time 300
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: g++ -g -O1 -w -shared -fPIC op.cc -o ink.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o ink_repaired.so {tensorflow}
#
# Two threads that die at once may leave nothing that tells; the re-runs do.
# With one thread (TF_NUM_INTRAOP_THREADS=1) the same program ends well.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./ink.so")

images = np.random.rand(5000, 784).astype(np.float32)
for epoch in range(10):
    print(int(ops.ink(x=images)))  # here
