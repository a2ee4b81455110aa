# expect: resource-limit strong
# ends: exit 1
# tasks: 60
# says: may have 60 of them \(pids\.max\) and has 60
# says: docker run --pids-limit
#
# A thread in a container that may have 60: Python says "can't start new thread",
# and no limit of the process or of its user is near.
import threading

held = threading.Event()
for _ in range(100):
    threading.Thread(target=held.wait, daemon=True).start()
