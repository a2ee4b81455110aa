# expect: out-of-bounds proven
# block: 2073600 large_row_above.py:19
# ends: exit 0
# needs: numpy cython
# run: {lib}
# lib-build: -O2 {python}
#
# A Cython loop without bounds checks compares each row with the one above it,
# and the first row too: a read in front of the image.
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("large_row_above", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

image = np.full((1080, 1920), 7, dtype=np.uint8)
out = np.zeros(image.shape, dtype=np.int32)
module.edges(image, out, 1 if sys.argv[-1] == "repaired" else 0)
print(out.sum())
