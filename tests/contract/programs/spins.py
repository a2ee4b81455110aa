"""A Python program to be looked at from outside: says that it is ready and
waits in `waiting_place` until its stdin ends; with an argument it computes
for that many seconds instead."""

import sys
import time


def waiting_place():
    sys.stdin.read()


def busy_place(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(100))


if len(sys.argv) > 1:
    busy_place(float(sys.argv[1]))
else:
    print("ready", flush=True)
    waiting_place()
