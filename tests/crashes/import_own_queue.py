# expect: python-exception proven
# ends: exit 1
# says: takes your queue\.py for the\s+installed module
#
# A file of the program's own goes by the name of a module of the standard
# library, whose other modules then import it.
import os
import sys

with open("queue.py", "w") as file:
    file.write("jobs = []\n")
with open("main.py", "w") as file:
    file.write("import multiprocessing.queues\n")
os.execv(sys.executable, [sys.executable, "main.py"])
