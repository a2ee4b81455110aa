# expect: resource-limit strong
# at-most: strong
# ends: exit 1
# needs: root
# says: the\s+limit\s+is\s+40,\s+this\s+process\s+has\s+40
#
# RLIMIT_NPROC counts the threads of a user. Only the thread that failed is looked
# at; how many there are the kernel says.
import os
import resource
import threading

resource.setrlimit(resource.RLIMIT_NPROC, (40, 40))
os.setuid(65533)
held = threading.Event()
threads = []
try:
    for i in range(100):
        threads.append(threading.Thread(target=held.wait, daemon=True))
        threads[-1].start()
finally:
    del threads
