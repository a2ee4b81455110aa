# expect: aliased-buffer strong
# not: python-exception shape-mismatch
# ends: exit 1
# needs: numpy
#
# An array is resized in place while another looks at its memory.
import sys

import numpy

samples = numpy.zeros(100)
head = samples[:10]
try:
    samples.resize(200)
except ValueError:
    sys.exit("cannot go on")
