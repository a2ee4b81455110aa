# expect: none
# looks-like: memory-leak
# ends: exit 0
# memory: 700
# needs: torch long
#
# The same sum of numbers.
import torch

weights = torch.randn(512, 512, requires_grad=True)
total = 0.0
for step in range(200):
    x = torch.randn(512, 512)
    loss = torch.tanh(x @ weights).pow(2).mean()
    total = total + loss.item()
