# question: 1
# claim: a prediction for the whole set at once runs out of memory and ends in a segmentation fault
# really: the results of a convolution for all images together need more than the limit; the kernel kills it, exit 137
# expect: out-of-memory-killed proven
# ends: SIGKILL
# memory: 700
# fix: fewer samples at a time
# on: torch
#
# The features of 8,000 images at once: 200 KB for each.
import torch

x_test = torch.rand(8000, 1, 28, 28)
model = torch.nn.Sequential(torch.nn.Conv2d(1, 64, 3, padding=1), torch.nn.ReLU())
with torch.no_grad():
    features = model(x_test)  # here
print(features.mean(dim=(0, 2, 3)))
