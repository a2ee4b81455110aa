"""Writes the features, in place: prepare.py ROWS"""
import sys

import numpy as np

rows = int(sys.argv[1])
features = np.random.default_rng(7).random((rows, 784), dtype=np.float32)
features.tofile("features.f32")
