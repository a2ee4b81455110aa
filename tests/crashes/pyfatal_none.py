# expect: python-fatal-error strong
# not: failed-check gil-not-held null-pointer heap-corruption
# ends: SIGABRT
# says: (?i)none
#
# An extension releases None once too often, again and again, until its count
# reaches zero: "deallocating None".
import ctypes

decref = ctypes.pythonapi.Py_DecRef
decref.argtypes = [ctypes.py_object]
decref.restype = ctypes.c_int
while True:
    decref(None)
