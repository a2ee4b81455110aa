# The op asks the input how long it is.
import torch

torch.ops.load_library("./smooth_repaired.so")

images = torch.rand(16)
smoothed = torch.ops.lab.smooth(images, 64 << 20)
print(smoothed.shape)
