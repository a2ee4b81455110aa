# expect: resource-limit proven
# not: out-of-memory-refused python-exception
# ends: exit 1
# needs: numpy
# says: limited to 600 MiB
#
# RLIMIT_DATA counts private memory that may be written, and malloc's mappings are
# that. The machine has memory enough.
import resource

import numpy as np

resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20))
parts = []
for _ in range(100):
    parts.append(np.empty((1024, 1024, 4)))
