# expect: gil-not-held|python-fatal-error strong
# not: null-pointer failed-check
# ends: SIGABRT
# says: (?i)\bGIL\b
#
# Here the interpreter notices itself: "the function must be called with the
# GIL held". The fatal error is how it ended, the GIL is why.
import ctypes

api = ctypes.CDLL(None)
api.PyThreadState_Get.restype = ctypes.c_void_p
print(api.PyThreadState_Get())
