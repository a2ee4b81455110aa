# expect: none
# looks-like: shape-mismatch dtype-mismatch
# ends: exit 1
# needs: numpy
#
# A program with arrays raises an error of its own that speaks of shapes.
import numpy as np

outline = np.zeros((3, 4))


def area(shape):
    raise ValueError(f"unknown shape {shape}: expected 3 sides, size mismatch 4")


area(len(outline))
