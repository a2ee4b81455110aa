# expect: mapped-file-truncated proven
# not: file-contention null-pointer out-of-bounds
# ends: SIGBUS
# needs: numpy
# says: has it open for writing
#
# Another process cuts a file that is mapped here, and keeps it open.
import subprocess
import sys

import numpy as np

np.ones((1000, 128)).tofile("features.f64")
features = np.memmap("features.f64", mode="r", shape=(1000, 128))
print(features.sum())
WRITER = """
import signal
file = open("features.f64", "r+b")
file.truncate(4096)
print("cut", flush=True)
signal.alarm(20)
signal.pause()
"""
writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
writer.stdout.readline()
print(features.sum())
