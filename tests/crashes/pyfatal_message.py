# expect: python-fatal-error strong
# not: failed-check gil-not-held null-pointer
# ends: SIGABRT
#
# An extension calls Py_FatalError with a reason of its own, which goes to stderr
# in pieces and stays nowhere in memory as a whole.
import ctypes


def tear_down():
    ctypes.pythonapi.Py_FatalError(b"module state is gone")


tear_down()
