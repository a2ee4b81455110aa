"""A small PyTorch model, trained on the CPU."""
import sys

import torch

torch.manual_seed(1)
x = torch.rand(512, 1, 28, 28)
y = torch.randint(0, 10, (512,))
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(),
    torch.nn.Linear(8 * 26 * 26, 10))
optimizer = torch.optim.Adam(model.parameters())
for _ in range(5 * int(sys.argv[1])):
    for begin in range(0, 512, 64):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(
            model(x[begin:begin + 64]), y[begin:begin + 64])
        loss.backward()
        optimizer.step()
print(loss.item())
