# expect: mapped-file-truncated strong
# not: null-pointer out-of-bounds gil-not-held shared-memory-full
# ends: SIGBUS
# needs: numpy
# says: features\.npy
#
# A data set is opened as a memory map and replaced in place by a shorter one;
# the fault is taken deep inside NumPy's sum.
import numpy as np

np.save("features.npy", np.ones((1000, 128)))
features = np.load("features.npy", mmap_mode="r")
print(features.sum())
with open("features.npy", "r+b") as file:
    file.truncate(200_000)
print(features.sum())
