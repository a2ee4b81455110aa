# Batch by batch.
import torch

x_test = torch.rand(8000, 1, 28, 28)
model = torch.nn.Sequential(torch.nn.Conv2d(1, 64, 3, padding=1), torch.nn.ReLU())
total = 0
with torch.no_grad():
    for i in range(0, 8000, 100):
        features = model(x_test[i:i + 100])
        total += features.sum(dim=(0, 2, 3))
print(total / (8000 * 28 * 28))
