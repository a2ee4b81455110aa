# expect: file-contention strong
# not: shape-mismatch python-exception
# ends: exit 1
# needs: numpy
# says: has batch\.npy open
# says: batch\.npy is broken at byte
#
# A batch is read while another process is still writing it: the file is cut, and
# will be whole in a moment.
import subprocess
import sys

import numpy as np

WRITER = """
import signal
import numpy as np
np.save("whole.npy", np.arange(50_000.0))
data = open("whole.npy", "rb").read()
file = open("batch.npy", "wb")
file.write(data[:100_000])
file.flush()
print("half", flush=True)
signal.alarm(20)
signal.pause()
"""
writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
writer.stdout.readline()
np.load("batch.npy")
