# expect: shared-memory-full strong
# looks-like: mapped-file-truncated
# not: gil-not-held null-pointer out-of-memory-killed
# ends: SIGBUS
# needs: root numpy
#
# multiprocessing.shared_memory larger than the container's /dev/shm, filled by
# NumPy: the classic data loader in a container with 64 MB of it.
import ctypes
import os
import sys
from multiprocessing import shared_memory

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 1 << 18
if (libc.unshare(CLONE_NEWNS)
        or libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
        or libc.mount(b"shm", b"/dev/shm", b"tmpfs", 0, b"size=2m")):
    sys.exit(77)

block = shared_memory.SharedMemory(create=True, size=16 << 20)
images = np.ndarray((16, 1 << 20), dtype=np.uint8, buffer=block.buf)
images[:] = 1
