# expect: disk-full strong
# looks-like: mapped-file-truncated
# not: shared-memory-full gil-not-held
# ends: SIGBUS
# needs: root numpy
# says: activations\.dat
#
# np.memmap with mode "w+" makes a file of holes; the disk is full before the
# holes are.
import ctypes
import os
import sys

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 1 << 18
os.mkdir("out")
if (libc.unshare(CLONE_NEWNS)
        or libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
        or libc.mount(b"scratch", b"out", b"tmpfs", 0, b"size=3m")):
    sys.exit(77)

layer = np.memmap("out/activations.dat", np.float32, "w+", shape=(64, 65536))
for row in range(64):
    layer[row] = row
