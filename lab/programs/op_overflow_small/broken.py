# question: 3 4
# claim: a buffer overflow in a custom C++ op
# really: it writes over what lies behind its output; malloc notices later, in code that did nothing wrong
# expect: heap-corruption|out-of-bounds strong
# ends: SIGABRT
# tries: 4
# confirm: proven -- --only guarded_heap --runs 2 --time 300
# on: tensorflow tensorflow-py313
# build: g++ -g -O1 -w -shared -fPIC op.cc -o digits.so {tensorflow}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o digits_repaired.so {tensorflow}
#
# It lives on where nothing that malloc looks at lies behind the output: now and then, on TensorFlow 2.11 mostly.
# One label of a set that has letters too; it is the last of its batch, so nothing of the batch is written over.
import numpy as np
import tensorflow as tf

ops = tf.load_op_library("./digits.so")

labels = np.arange(640, dtype=np.int32) % 10
labels[191] = 13
for start in range(0, 640, 64):
    one_hot = ops.digits(labels=labels[start:start + 64])
    weights = [tf.random.normal([n]) for n in range(1, 200)]
print(one_hot.shape)
