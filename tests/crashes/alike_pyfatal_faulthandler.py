# expect: null-pointer strong
# looks-like: python-fatal-error
# not: gil-not-held killed-by-process
# ends: SIGSEGV
#
# faulthandler catches the fault, prints "Fatal Python error: Segmentation
# fault" and raises the signal again: the second signal comes from the process
# itself, the first one knows the address.
import ctypes
import faulthandler

faulthandler.enable()
ctypes.memmove(0, b"weights", 7)
