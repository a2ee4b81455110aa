# question: 2 3
# claim: training that leaks ends in a segmentation fault
# really: a sum of loss tensors keeps the graph of every step until the kernel kills it, exit 137
# expect: memory-leak strong
# ends: SIGKILL
# memory: 700
# seconds: 240
# says: PROVEN out-of-memory-killed
# says: `total_loss`
# fix: item\(\)|detach\(\)
# on: torch
#
# The mean loss on the validation set. Nobody calls backward(), so nothing lets go of a step.
import torch

model = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.Tanh(), torch.nn.Dropout(), torch.nn.Tanh(),
                            torch.nn.Linear(784, 10))
x_batch = torch.rand(2048, 784)
y_batch = torch.randint(0, 10, (2048,))

total_loss = 0
for step in range(1000):
    loss = torch.nn.functional.cross_entropy(model(x_batch + 0.01 * torch.randn(2048, 784)), y_batch)
    total_loss += loss  # here
print(total_loss / 1000)
