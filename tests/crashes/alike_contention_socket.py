# expect: none|python-exception strong
# looks-like: file-contention
# ends: exit 1
#
# The same error number, from a socket that has nothing to say, while another
# process does hold a lock on a file that is open here.
import socket
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
index = open("run.index")
one, other = socket.socketpair()
one.setblocking(False)
one.recv(1)
