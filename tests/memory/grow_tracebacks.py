# expect: memory-leak strong
# ends: SIGKILL
# memory: 300
# needs: numpy long
# says: STRONG memory-leak list `errors` keeps growing
# says: grow_tracebacks\.py:25
#
# Exceptions that are kept: each keeps the frames it passed, and what was in them.
# No name leads to those arrays but by the traceback.
import numpy as np

rng = np.random.default_rng(7)
errors = []


def step(i):
    batch = rng.random((256, 256))
    raise ValueError("no number in step %d" % i, float(np.tanh(np.sort(batch)).sum()))


for i in range(100000):
    try:
        step(i)
    except ValueError as error:
        errors.append(error)
