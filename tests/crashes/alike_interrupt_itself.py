# expect: none|python-exception strong
# looks-like: killed-by-user killed-by-process
# ends: SIGINT
#
# The program sends SIGINT to itself. It ends as after Ctrl-C, and no user was there.
import os
import signal
import time

os.kill(os.getpid(), signal.SIGINT)
time.sleep(5)
