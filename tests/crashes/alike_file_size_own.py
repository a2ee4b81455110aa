# expect: none|python-exception strong
# looks-like: resource-limit disk-full
# ends: exit 1
#
# "File too large" with no limit in force: the program's own check of an upload
# raises the same error.
import errno
import os

largest = 1000


def store(name, data):
    if len(data) > largest:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), name)


store("upload.bin", b"x" * 65536)
