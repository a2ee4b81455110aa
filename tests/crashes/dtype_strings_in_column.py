# expect: dtype-mismatch strong
# not: python-exception
# ends: exit 1
# needs: numpy
#
# A column of words among the numbers.
import sys

import numpy

rows = [["3.1", "4.0"], ["red", "1.0"]]
try:
    table = numpy.asarray(rows, dtype=numpy.float32)
except ValueError:
    sys.exit("cannot go on")
