# expect: use-after-free proven
# block: 32768 window
# ends: exit 0
# needs: numpy
# run: {lib}
# lib-build: -O1 {numpy}
#
# A module hands out an array over memory that it has freed. It is looked at only
# after a thousand further arrays have been made.
import importlib.util
import sys

import numpy as np

spec = importlib.util.spec_from_file_location("windows", sys.argv[1])
windows = importlib.util.module_from_spec(spec)
spec.loader.exec_module(windows)

window = windows.window(4096)
frames = [np.full(512 + number % 64, 1.0) for number in range(1000)]
print(sum(frame.sum() for frame in frames) * window.sum())
