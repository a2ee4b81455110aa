# expect: python-fatal-error strong
# not: failed-check gil-not-held null-pointer
# ends: SIGABRT
# says: module state is gone
#
# An extension calls Py_FatalError with a reason of its own.
import ctypes


def tear_down():
    ctypes.pythonapi.Py_FatalError(b"module state is gone")


tear_down()
