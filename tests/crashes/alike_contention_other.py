# expect: corrupt-input proven
# looks-like: file-contention
# ends: exit 1
# needs: numpy
#
# The file was cut before, and nobody has it now; the process that is writing at
# the time has another one.
import os
import subprocess
import sys

import numpy as np

WRITER = """
import signal
file = open("other.npy", "wb")
file.write(b"x" * 1000)
file.flush()
print("half", flush=True)
signal.alarm(20)
signal.pause()
"""
np.save("batch.npy", np.arange(50_000.0))
os.truncate("batch.npy", 100_000)
writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
writer.stdout.readline()
np.load("batch.npy")
