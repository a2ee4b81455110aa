"""numpy_temporaries.py KIB: one array expression over arrays of that size, as
often as makes about half a second of it."""
import sys

import numpy as np

count = int(sys.argv[1]) * 1024 // 4
a = np.linspace(0, 1, count, dtype=np.float32)
c = a[::-1].copy()
results_gib = 10 if count < 1 << 20 else 4
for _ in range((results_gib << 30) // (3 * 4 * count)):
    b = a * c + a - c
print(b[0])
