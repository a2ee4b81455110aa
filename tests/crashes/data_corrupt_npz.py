# expect: corrupt-input strong
# not: python-exception
# ends: exit 1
# needs: numpy
# says: half.npz
#
# An archive that lost its end; zipfile does not say which file it was.
import os

import numpy as np

path = os.path.abspath("half") + ".npz"
np.savez_compressed(path, x=np.arange(100000))
os.truncate(path, os.path.getsize(path) // 2)
np.load(path)["x"]
