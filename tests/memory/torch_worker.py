# expect: python-exception|out-of-memory-killed|unknown strong
# looks-like: memory-leak
# ends: exit 1
# memory: 900
# needs: torch long
#
# A DataLoader's worker is killed for memory; its parent only hears that it is
# gone.
import numpy as np
import torch


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.from_numpy(np.ones((200, 1024, 1024), np.float32))


for batch in torch.utils.data.DataLoader(Images(), num_workers=1):
    print(batch.shape)
