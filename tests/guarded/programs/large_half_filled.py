# expect: uninitialised-read proven
# block: 800000 large_half_filled.py:19
# ends: exit 0
# needs: numpy
# run: {lib}
# lib-build: -O2
#
# np.empty makes the order, and only the part up to the last whole batch is
# filled. Fresh pages are zero, so the rest reads as "the first row".
import ctypes
import sys

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.gather.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long]

rows = np.random.default_rng(0).random(100000)
order = np.empty(rows.size, dtype=np.int64)
whole = rows.size if sys.argv[-1] == "repaired" else rows.size // 512 * 512
order[:whole] = np.arange(whole)[::-1]
shuffled = np.empty_like(rows)
lib.gather(shuffled.ctypes.data, rows.ctypes.data, order.ctypes.data, rows.size)
print(shuffled.mean())
