# expect: use-after-free proven
# block: 40000 positions
# ends: exit 0
# needs: torch long
# run: {lib}
# lib-build: -O1 {torch}
#
# from_blob does not copy: the tensor looks at a vector that ended with the
# function. The sum is wrong, and nothing else happens.
import sys

import torch

torch.ops.load_library(sys.argv[1])
table = torch.ops.guarded.positions(10000)
print(float(table.sum()))
