# expect: failed-check|unknown weak
# looks-like: python-fatal-error gil-not-held
# ends: SIGABRT
#
# A script that prints the interpreter's famous words and aborts for a reason of
# its own.
import os
import sys

print("Fatal Python error: drop_gil: GIL is not locked", file=sys.stderr)
sys.stderr.flush()
os.abort()
