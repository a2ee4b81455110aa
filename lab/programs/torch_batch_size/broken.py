# question: 2
# claim: a batch that is too large for the memory crashes the program
# really: the kernel kills it at the limit, exit 137, in PyTorch as in TensorFlow
# expect: out-of-memory-killed proven
# ends: SIGKILL
# memory: 700
# run: --batch 6000
# fix: fewer samples at a time
# confirm: proven tested -- --param batch=256 --only parameter --runs 4 --time 400
# on: torch
#
# One step of a convolution on as many images as are asked for.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=64)
batch_size = parser.parse_args().batch

x_train = torch.rand(6000, 1, 28, 28)
y_train = torch.randint(0, 10, (6000,))
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 64, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(),
    torch.nn.Linear(64 * 14 * 14, 10))

with torch.no_grad():
    right = sum((model(x_train[i:i + 100]).argmax(1) == y_train[i:i + 100]).sum() for i in range(0, 6000, 100))
print("before training:", int(right))

predictions = model(x_train[:batch_size])  # here
loss = torch.nn.functional.cross_entropy(predictions, y_train[:batch_size])
loss.backward()
print(loss.item())
