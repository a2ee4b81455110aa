# expect: dtype-mismatch|none strong
# not: shape-mismatch
# ends: exit 1
# needs: numpy
#
# Floats subtracted in place from an image of bytes. The message says it all.
import numpy as np

image, mean = np.zeros((32, 32, 3), np.uint8), np.array([0.485, 0.456, 0.406])
image -= mean
