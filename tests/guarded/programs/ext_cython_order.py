# expect: uninitialised-read proven
# block: 400000 picked
# ends: exit 0
# needs: numpy cython
# run: {lib}
# lib-build: -O2 {python}
#
# A Cython loop follows an order of which the last entry was never written. In
# fresh memory that is entry 0, and nobody notices.
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("ext_cython_order", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

values = np.ones(100000)
count = values.size if sys.argv[-1] == "repaired" else values.size - 1
print(module.picked(values, count))
