# confirm: no-workers refuted
# python: torch
import ctypes

import torch
import torch.utils.data


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.tensor(ctypes.string_at(0x123456000 + index))


for batch in torch.utils.data.DataLoader(Rows(), batch_size=2, num_workers=1):
    print(batch)
