# question: 3
# claim: a stack overflow by too deep recursion
# really: true where somebody has raised the recursion limit; without that it is a RecursionError
# expect: stack-overflow proven
# ends: SIGSEGV
# really@tensorflow-py313: Python 3.12 and later count C calls apart, whatever the limit: a RecursionError
# expect@tensorflow-py313: none
# ends@tensorflow-py313: exit 1
# fix: Bound the recursion
# says: nest
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39 tensorflow-1.15-py27
#
# Each epoch wraps the history of those before it; tf.nest walks it in C++, a call for each level.
import sys

import tensorflow as tf

sys.setrecursionlimit(10 ** 9)

history = [0.5]
for epoch in range(300000):
    history = [history, 0.5]
print(len(tf.nest.flatten(history)))  # here
