# confirm: fixed-seed refuted
import ctypes

ctypes.string_at(0x123456000)
