# expect: none
# looks-like: dtype-mismatch
# not: dtype-mismatch
# ends: exit 1
# needs: numpy
#
# The same words of Python's own float(): a setting, no array.
import numpy

rate = "fast"
step = float(rate) * 2
