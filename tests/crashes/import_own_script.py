# expect: python-exception strong
# ends: exit 1
# says: takes your queue\.py for the\s+installed module
#
# The script itself goes by the name of what it imports, and gets itself.
import os
import sys

with open("queue.py", "w") as file:
    file.write("import queue\nqueue.SimpleQueue()\n")
os.execv(sys.executable, [sys.executable, "queue.py"])
