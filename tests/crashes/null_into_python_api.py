# expect: null-pointer strong
# looks-like: gil-not-held
# not: python-fatal-error
# ends: SIGSEGV
#
# The GIL is held (pythonapi is a PyDLL) and the thread state is fine: a null
# object was handed to the C API, which faults at a small offset in Python code.
import ctypes

get_iter = ctypes.pythonapi.PyObject_GetIter
get_iter.argtypes = [ctypes.c_void_p]
get_iter.restype = ctypes.c_void_p

get_iter(None)
