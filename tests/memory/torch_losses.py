# expect: memory-leak strong
# ends: SIGKILL
# memory: 700
# needs: torch long
# says: `losses`
# says: torch_losses\.py:16
#
# A list of losses, each with the graph of its step.
import torch

weights = torch.randn(512, 512, requires_grad=True)
losses = []
for step in range(100000):
    y = torch.tanh(torch.randn(512, 512) @ weights)
    y = torch.tanh(y @ weights)
    losses.append(y.pow(2).mean())
