# confirm: python-malloc confirmed heap-corruption strong
# It does not die by itself: the bytes behind the buffer belong to nobody yet.
# from: command
import ctypes

buffer = bytearray(40)
start = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
ctypes.memset(start + 41, 65, 4)
del buffer
