# The op keeps the tensor, not its address.
import torch

torch.ops.load_library("./drift_repaired.so")

x_train = torch.ones(60000, 784)
x_test = torch.ones(100, 784)
print(torch.ops.lab.drift(x_train / 255))
print(torch.ops.lab.drift(x_test / 255))
