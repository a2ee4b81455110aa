# confirm: guarded-objects refuted use-after-free plausible
# Memory of its own mapping, given back: no object was ever there.
import ctypes
import mmap

mapped = mmap.mmap(-1, 1 << 20)
start = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
libc = ctypes.CDLL(None)
libc.munmap(ctypes.c_void_p(start), 1 << 20)
ctypes.string_at(start + 16, 8)
