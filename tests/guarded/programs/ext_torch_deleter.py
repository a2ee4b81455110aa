# expect: invalid-free proven
# block: 12000 ramp
# ends: exit 0
# needs: torch long
# run: {lib}
# lib-build: -O1 {torch}
#
# The deleter of a tensor gives back with free what new[] made.
import sys

import torch

torch.ops.load_library(sys.argv[1])
ramp = torch.ops.guarded.ramp(3000)
print(float(ramp.sum()))
del ramp
