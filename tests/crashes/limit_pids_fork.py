# expect: resource-limit strong
# ends: exit 1
# tasks: 40
# says: may have 40 of them \(pids\.max\) and has 40
#
# Processes instead of threads: fork() is refused with EAGAIN, which Python calls
# BlockingIOError. The children end when the pipe's other end is closed.
import os

gate, door = os.pipe()
for _ in range(100):
    if os.fork() == 0:
        os.close(door)
        os.read(gate, 1)
        os._exit(0)
