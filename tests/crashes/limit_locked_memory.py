# expect: resource-limit strong
# at-most: strong
# not: out-of-memory-refused
# ends: exit 1
# needs: root
# says: than the 64 KiB that this\s+process may lock
#
# Memory is locked beyond RLIMIT_MEMLOCK: the kernel says ENOMEM, and there is
# memory enough. For root the limit does not count.
import ctypes
import os
import resource

libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(1 << 20)
resource.setrlimit(resource.RLIMIT_MEMLOCK, (1 << 16, 1 << 16))
os.setuid(65534)


def pin(block):
    if libc.mlock(block, len(block)): number = ctypes.get_errno(); raise OSError(number, os.strerror(number))


pin(buffer)
