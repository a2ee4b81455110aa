# expect: none|shape-mismatch strong
# looks-like: corrupt-input file-contention
# ends: exit 1
# needs: numpy
#
# The same words, of a file that is sound: it is the program that wants another
# shape of it.
import numpy as np

np.save("labels.npy", np.arange(50_000))
labels = np.load("labels.npy")
print(labels.reshape(7, 6000))
