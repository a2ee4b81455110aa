# expect: file-contention proven
# not: python-exception corrupt-input
# ends: exit 1
# says: holds a lock on run\.index
#
# Another process holds the lock that is asked for; Python says only that the
# resource is temporarily unavailable.
import fcntl
import subprocess
import sys

open("run.index", "w").write("0")
HOLDER = """
import fcntl, signal
file = open("run.index", "r+")
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
signal.alarm(20)
signal.pause()
"""
holder = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
holder.stdout.readline()
index = open("run.index", "r+")
fcntl.flock(index, fcntl.LOCK_EX | fcntl.LOCK_NB)
