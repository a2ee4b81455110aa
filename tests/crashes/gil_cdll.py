# expect: gil-not-held strong
# looks-like: null-pointer
# not: python-fatal-error
# ends: SIGSEGV
#
# ctypes.CDLL drops the GIL around the call, ctypes.PyDLL does not; here the
# wrong one calls the C API. The null that is read is the missing thread state.
import ctypes

api = ctypes.CDLL(None)
api.PyErr_SetString.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyErr_SetString(ValueError, b"wrong shape")
