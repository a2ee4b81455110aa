# question: 3 4
# claim: a custom C++ op that throws an exception kills the process
# really: not in PyTorch, which makes a RuntimeError of it (in TensorFlow it does: see op_exception)
# expect: none
# ends: exit 1
# on: torch
# build: g++ -g -O1 -w -shared -fPIC op.cc -o parse.so {torch}
#
# One field of a file of pixels is empty.
import torch

torch.ops.load_library("./parse.so")

line = ",".join(["0.5"] * 783 + [""])
pixels = torch.ops.lab.parse(line.split(","))
print(pixels.shape)
