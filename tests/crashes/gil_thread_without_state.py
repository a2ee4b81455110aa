# expect: gil-not-held strong
# looks-like: null-pointer
# not: python-fatal-error
# ends: SIGSEGV
# run: {lib}
# lib-build: -O2
# says: report_progress
#
# A library's own thread calls the C API without PyGILState_Ensure while the
# main thread waits: no thread state belongs to it.
import ctypes
import sys

ctypes.CDLL(sys.argv[1]).start_and_wait()
