# expect: out-of-bounds proven
# block: 32768 ext_numpy_ufunc.py:19
# ends: exit 0
# needs: numpy
# run: {lib}
# lib-build: -O1 {numpy}
#
# The loop of a ufunc takes its operands to be contiguous. With a reversed view
# it starts at the last value and reads on behind the array.
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("rows", sys.argv[1])
rows = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rows)

x = np.linspace(0, 1, 4096)
print(rows.scaled(x[::-1], 0.5).sum() > 0)
