# expect: corrupt-input strong
# not: python-exception
# ends: exit 1
# needs: numpy
# says: d\.npz is broken at byte
#
# A byte of a member is wrong. Its reader names the member, which is no file of
# its own: nobody can get x.npy again.
import numpy as np

np.savez("d.npz", x=np.arange(1000))
with open("d.npz", "r+b") as file:
    file.seek(1000)
    file.write(b"\xff")
data = np.load("d.npz")
data["x"]
