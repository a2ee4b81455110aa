# expect: gil-not-held strong
# looks-like: null-pointer
# not: python-fatal-error
# ends: SIGSEGV
#
# The same mistake with an allocating call: PyList_New looks for the
# interpreter's list cache through a thread state that is not there.
import ctypes

api = ctypes.CDLL(None)
api.PyList_New.restype = ctypes.py_object
print(api.PyList_New(ctypes.c_ssize_t(3)))
