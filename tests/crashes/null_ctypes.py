# expect: null-pointer strong
# not: python-fatal-error gil-not-held bad-jump
# ends: SIGSEGV
#
# Python asks libc for the length of the string at null: the interpreter is on
# the stack and innocent.
import ctypes

libc = ctypes.CDLL(None)
libc.strlen.argtypes = [ctypes.c_void_p]


def length_of(address):
    return libc.strlen(address)


print(length_of(None))
