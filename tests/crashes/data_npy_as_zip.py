# expect: corrupt-input strong
# at-most: strong
# not: python-exception
# ends: exit 1
# needs: numpy
# says: a\.npy is a sound npy file
#
# A sound file that was given to the reader of another kind: it is not damaged,
# and to get it again would help nobody.
import zipfile

import numpy as np

np.save("a.npy", np.arange(100))
zipfile.ZipFile("a.npy")
