# question: 5
# claim: mismatched versions of protobuf segfault in model.fit
# really: TensorFlow cannot be imported at all, and says so
# expect: protobuf-conflict strong
# says: the protobuf that is found first, in \S+vendored
# fix: Take \S+vendored off the search path
# ends: exit 1
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: python -m pip install --quiet --no-deps --target vendored protobuf==4.25.8
#
# Somebody has put the protobuf of another project in front of TensorFlow's.
import sys

sys.path.insert(0, "vendored")

import tensorflow as tf  # here

print(tf.reduce_sum(tf.ones([28, 28])).numpy())
