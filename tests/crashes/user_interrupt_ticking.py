# expect: killed-by-user|none strong
# looks-like: killed-by-process
# not: python-exception
# ends: SIGINT
# needs: pty
#
# Ctrl-C in a program with a timer: the last signal that it handled is the
# timer's, and the one that it dies of is its own. Between them was the terminal's.
import os
import signal
import sys
import time

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
keyboard, terminal = os.openpty()
if os.getsid(0) != os.getpid():
    sys.exit(77)
os.open(os.ttyname(terminal), os.O_RDWR)
try:
    os.write(keyboard, b"\x03")
    while True:
        time.sleep(1)
finally:
    time.sleep(0.1)
    signal.setitimer(signal.ITIMER_REAL, 0)
