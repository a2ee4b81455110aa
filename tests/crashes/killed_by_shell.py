# expect: killed-by-process strong
# not: killed-by-user time-limit out-of-memory-killed
# ends: SIGTERM
# says: \bsh\b
#
# A shell script started by the program ends it with kill: the sender is called
# sh.
import subprocess
import time

subprocess.Popen(["sh", "-c", "kill -TERM $PPID; sleep 0.2"])
while True:
    time.sleep(1)
