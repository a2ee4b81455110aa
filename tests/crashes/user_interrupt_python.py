# expect: killed-by-user|none strong
# looks-like: killed-by-process
# not: python-exception
# ends: SIGINT
# needs: pty
#
# Ctrl-C in Python: the handler raises KeyboardInterrupt, nobody catches it, and
# the interpreter sends SIGINT to itself so that the shell sees the truth. The
# last signal comes from the process itself, the first came from the terminal.
import os
import sys
import time

keyboard, terminal = os.openpty()
if os.getsid(0) != os.getpid():
    sys.exit(77)
os.open(os.ttyname(terminal), os.O_RDWR)
os.write(keyboard, b"\x03")
while True:
    time.sleep(1)
