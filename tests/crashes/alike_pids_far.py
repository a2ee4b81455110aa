# expect: resource-limit strong
# at-most: strong
# ends: exit 1
# needs: root
# tasks: 1000
# says: the limit is 40, this process has 40
# says: ^(?!.*(control group|pids\.max))
#
# The control group has a limit too, but it is far away: it was the user's own that
# refused. limit_pids_python.py is the other way round.
import os
import resource
import threading

resource.setrlimit(resource.RLIMIT_NPROC, (40, 40))
os.setuid(65533)
held = threading.Event()
for _ in range(100):
    threading.Thread(target=held.wait, daemon=True).start()
