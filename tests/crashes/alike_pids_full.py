# expect: none
# looks-like: resource-limit
# ends: exit 1
# tasks: 60
#
# The control group is full, and the kernel has refused a thread; the program makes
# do with those it has. It ends of another EAGAIN: a pipe that nobody empties.
import os
import threading

held = threading.Event()
try:
    while True:
        threading.Thread(target=held.wait, daemon=True).start()
except RuntimeError:
    pass
gate, door = os.pipe()
os.set_blocking(door, False)
while True:
    os.write(door, bytes(4096))
