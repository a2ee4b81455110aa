# The same gradient, from small batches one after the other.
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

for i in range(0, batch_size, 256):
    predictions = model(x_train[i:i + 256])
    loss = torch.nn.functional.cross_entropy(predictions, y_train[i:i + 256])
    loss.backward()
print(loss.item())
