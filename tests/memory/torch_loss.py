# expect: memory-leak strong
# ends: SIGKILL
# memory: 700
# needs: torch long
# says: `total`
# says: torch_loss\.py:18
#
# The loss is summed as a tensor: the sum keeps the graph of every step.
import torch

weights = torch.randn(512, 512, requires_grad=True)
total = 0
for step in range(100000):
    x = torch.randn(512, 512)
    y = torch.tanh(x @ weights)
    y = torch.tanh(y @ weights)
    loss = y.pow(2).mean()
    total = total + loss
