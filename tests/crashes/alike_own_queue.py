# expect: none
# looks-like: abi-mismatch
# ends: exit 1
#
# The program means its own queue.py, which merely lacks a name: the installed
# module has none of that name either.
import os
import sys

with open("queue.py", "w") as file:
    file.write("jobs = []\n")
with open("main.py", "w") as file:
    file.write("from queue import next_job\n")
os.execv(sys.executable, [sys.executable, "main.py"])
