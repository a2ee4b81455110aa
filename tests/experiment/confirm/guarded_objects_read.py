# confirm: guarded-objects confirmed out-of-bounds proven
# It does not die by itself: behind the buffer lies the rest of Python's pool.
# from: command
import ctypes

buffer = bytearray(47)
start = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
print(len(ctypes.string_at(start, 2000)))
