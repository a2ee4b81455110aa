# expect: out-of-bounds proven
# block: 524288 upsample
# ends: exit 0
# needs: torch long
# run: {lib}
# lib-build: -O1 {torch}
#
# A PyTorch op writes one float behind its result. 512 KiB is a whole number of
# pages, and so there is no slack to hide in.
import sys

import torch

torch.ops.load_library(sys.argv[1])
y = torch.ops.guarded.upsample(torch.ones(65536))
print(float(y[-1]))
