# expect: none
# ends: exit 0
# memory: 300
# needs: numpy long
#
# The same, and each exception lets go of its frames before it is kept.
import numpy as np

rng = np.random.default_rng(7)
errors = []


def step(i):
    batch = rng.random((256, 256))
    raise ValueError("no number in step %d" % i, float(np.tanh(np.sort(batch)).sum()))


for i in range(1500):
    try:
        step(i)
    except ValueError as error:
        errors.append(error.with_traceback(None))
