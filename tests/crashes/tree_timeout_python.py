# expect: time-limit strong
# not: killed-by-process killed-by-user
# ends: exit 124
# says: timeout
#
# timeout(1) that interrupts: Python makes KeyboardInterrupt of it, and no user was
# there.
import os
import sys
import time


def epoch():
    while True:
        time.sleep(0.01)


if len(sys.argv) == 1:
    os.execlp("timeout", "timeout", "-s", "INT", "1", sys.executable, __file__, "work")
epoch()
