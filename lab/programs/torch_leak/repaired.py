# The number alone.
import torch

model = torch.nn.Sequential(torch.nn.Dropout(), torch.nn.Tanh(), torch.nn.Dropout(), torch.nn.Tanh(),
                            torch.nn.Linear(784, 10))
x_batch = torch.rand(2048, 784)
y_batch = torch.randint(0, 10, (2048,))

total_loss = 0
for step in range(100):
    loss = torch.nn.functional.cross_entropy(model(x_batch + 0.01 * torch.randn(2048, 784)), y_batch)
    total_loss += loss.item()
print(total_loss / 100)
