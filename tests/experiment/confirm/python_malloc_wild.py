# confirm: python-malloc refuted
import ctypes

ctypes.string_at(0x123456000)
