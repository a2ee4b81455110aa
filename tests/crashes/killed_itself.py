# expect: killed-by-process|unknown weak
# not: killed-by-user time-limit
# looks-like: out-of-memory-killed
# ends: SIGKILL
#
# The program kills itself with SIGKILL, as some launchers do to end at once: at
# the end its only thread is in kill(own pid, 9).
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
