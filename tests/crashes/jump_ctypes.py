# expect: bad-jump strong
# not: null-pointer gil-not-held python-fatal-error
# ends: SIGSEGV
#
# A function prototype bound to an address where no code is.
import ctypes

prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
callback = prototype(0x7E5700001000)
print(callback(1))
