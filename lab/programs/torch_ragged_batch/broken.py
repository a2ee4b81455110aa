# question: 5
# claim: images of different sizes in a batch end in a segmentation fault
# really: the DataLoader refuses to stack them, in an exception
# expect: ragged-batch strong
# ends: exit 1
# on: torch
#
# One image in ten has another size.
import torch

images = [torch.rand(1, 28, 28) if i % 10 else torch.rand(1, 32, 32) for i in range(200)]
loader = torch.utils.data.DataLoader(images, batch_size=16)
model = torch.nn.Conv2d(1, 8, 3, padding=1)
for batch in loader:  # here
    print(model(batch).shape)
