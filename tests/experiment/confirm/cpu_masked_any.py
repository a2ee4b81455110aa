# confirm: cpu-masked refuted
import ctypes

import numpy

ctypes.string_at(0x123456000 + numpy.zeros(1, int)[0])
