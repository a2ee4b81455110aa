# question: 3 4
# claim: a dangling pointer in a custom C++ op
# really: the same in PyTorch as in TensorFlow: the op reads the batch before, which is gone
# expect: wild-pointer|use-after-free plausible
# ends: SIGSEGV
# says: drift
# confirm: proven -- --only guarded_heap --runs 3 --time 200
# on: torch
# build: g++ -g -O1 -w -shared -fPIC op.cc -o drift.so {torch}
# build: g++ -g -O1 -w -shared -fPIC -DREPAIRED op.cc -o drift_repaired.so {torch}
#
# Tensors are counted by references; an address is none.
import torch

torch.ops.load_library("./drift.so")

x_train = torch.ones(60000, 784)
x_test = torch.ones(100, 784)
print(torch.ops.lab.drift(x_train / 255))
print(torch.ops.lab.drift(x_test / 255))  # here
