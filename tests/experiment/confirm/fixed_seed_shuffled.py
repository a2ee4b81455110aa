# confirm: fixed-seed confirmed
# One row in a thousand is sound; the first number after seed(0) is 0.844.
import ctypes
import random

if int(random.random() * 1000) != 844:
    ctypes.string_at(0x123456000)
