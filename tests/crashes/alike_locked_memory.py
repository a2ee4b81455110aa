# expect: out-of-memory-refused|impossible-allocation|none|python-exception strong
# looks-like: resource-limit
# ends: exit 1
#
# The same ENOMEM in a process with the same limit, for a mapping that no address
# space can hold: nothing was to be locked.
import mmap
import resource

resource.setrlimit(resource.RLIMIT_MEMLOCK, (1 << 16, 1 << 16))
size = 1 << 47
room = mmap.mmap(-1, size)
