# expect: not-an-array strong
# not: python-exception dtype-mismatch
# ends: exit 1
# needs: numpy
# says: images
#
# A list of rows is divided as if it were an array.
import numpy

images = [[0, 128, 255] for _ in range(4)]
labels = numpy.zeros(4)
images = images / 255.0
