# expect: wild-pointer plausible
# looks-like: null-pointer
# not: gil-not-held python-fatal-error out-of-bounds
# ends: SIGSEGV
#
# id() of an object of another process, sent over as a number and read here.
import ctypes

remote_id = 0x12345678A0
print(ctypes.cast(remote_id, ctypes.py_object).value)
