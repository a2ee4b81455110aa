# Brought to one size.
import torch

images = [torch.rand(1, 28, 28) if i % 10 else torch.rand(1, 32, 32) for i in range(200)]
images = [torch.nn.functional.interpolate(image[None], size=(28, 28))[0] for image in images]
loader = torch.utils.data.DataLoader(images, batch_size=16)
model = torch.nn.Conv2d(1, 8, 3, padding=1)
for batch in loader:
    print(model(batch).shape)
