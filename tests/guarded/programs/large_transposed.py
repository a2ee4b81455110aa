# expect: out-of-bounds proven
# block: 960000 transposed
# ends: exit 0
# needs: numpy pybind11
# run: {lib}
# lib-build: -O2 {pybind11}
#
# A pybind11 module transposes with the wrong row length: right for squares, 300
# KiB too far for 300 x 400.
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("shuffle", sys.argv[1])
shuffle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shuffle)

print(shuffle.transposed(np.eye(200)).sum())
print(shuffle.transposed(np.ones((300, 400))).sum())
