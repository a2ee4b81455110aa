# expect: none|python-exception strong
# looks-like: resource-limit
# ends: exit 1
# needs: root
# limit: nofile=1024
#
# inotify refuses with the same EMFILE as open does, for a limit of the user's: a
# handful of descriptors is open, and ulimit -n has nothing to do with it.
import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
NEW_USER = 0x10000000

if libc.unshare(NEW_USER):
    sys.exit(77)
try:
    with open("/proc/sys/user/max_inotify_instances", "w") as limit:
        limit.write("5")
except OSError:
    sys.exit(77)


def watch():
    fd = libc.inotify_init()
    if fd < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return fd


watches = [watch() for _ in range(20)]
