# expect: resource-limit|out-of-memory-refused strong
# looks-like: memory-leak
# ends: exit 1
# limit: as=700000000
# env: OPENBLAS_NUM_THREADS=1
# needs: numpy
# says: address space
# says: float64
#
# The address space is limited: NumPy is refused and says so; the limit is what
# it does not say.
import numpy as np

keep = [np.ones(1 << 24) for _ in range(100)]
