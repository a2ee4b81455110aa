# expect: aliased-buffer strong
# not: python-exception shape-mismatch
# ends: exit 1
# needs: torch
#
# What the gradient needs is written over in place.
import sys

import torch

weight = torch.ones(3, requires_grad=True)
activation = torch.sigmoid(weight)
activation += 1
try:
    activation.sum().backward()
except RuntimeError:
    sys.exit("cannot go on")
