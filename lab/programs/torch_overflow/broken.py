# question: 3 4
# claim: a buffer overflow in a custom C++ op
# really: the same in PyTorch as in TensorFlow: it writes on until it meets a page that is not there
# expect: out-of-bounds strong
# ends: SIGSEGV
# says: smooth
# confirm: proven -- --only guarded_heap --runs 3 --time 200
# on: torch
# build: g++ -g -O1 -w -shared -fPIC op.cc -o smooth.so {torch}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o smooth_repaired.so {torch}
#
# Sixteen values, and a window for a whole data set.
import torch

torch.ops.load_library("./smooth.so")

images = torch.rand(16)
smoothed = torch.ops.lab.smooth(images, 64 << 20)  # here
print(smoothed.shape)
