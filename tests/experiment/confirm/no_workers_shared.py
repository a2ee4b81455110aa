# confirm: no-workers confirmed fork-after-threads strong
# fix: tested
# python: torch
# Memory that a fork does not copy, read by a DataLoader's worker. Two pages only: a larger hole is filled by what the
# worker maps first, and then it reads zeros.
import mmap

import torch
import torch.utils.data

pages = mmap.mmap(-1, 8192)
pages.madvise(mmap.MADV_DONTFORK)


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.tensor(pages[index])


for batch in torch.utils.data.DataLoader(Rows(), batch_size=2, num_workers=1):
    print(batch)
