"""Array temporaries, a matrix product and a sort."""
import sys

import numpy as np

rng = np.random.default_rng(1)
a = rng.random((400, 400))
for _ in range(60 * int(sys.argv[1])):
    b = a @ a
    c = np.sort((a * b + a - b).ravel())
print(c[0])
