# expect: none
# looks-like: not-an-array
# not: not-an-array
# ends: exit 1
# needs: numpy
#
# The list holds names, and the division is by a mistake of another kind.
import numpy

names = ["train", "test"]
labels = numpy.zeros(4)
half = names / 2
