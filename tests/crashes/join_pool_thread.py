# expect: out-of-bounds strong
# not: null-pointer gil-not-held
# ends: SIGSEGV
# needs: numpy
# run: {lib}
# lib-build: -O1 -pthread
# says: element 1,000,000,000 of `table`
# says: the Python line above waits for it
# says: join_pool_thread\.py:[0-9]+ +lookup
# says: table +NumPy float32 \(1000, 64\)
# says: row = 1000000000
#
# It dies in a thread that runs no Python; the line that asked for it stands in
# another one, which waits.
import ctypes
import sys
import threading

import numpy as np

lib = ctypes.CDLL(sys.argv[1])
lib.run.restype = ctypes.c_float
lib.run.argtypes = [ctypes.c_void_p, ctypes.c_long]


def idle():
    threading.Event().wait()


def lookup(table, row):
    return lib.run(table.ctypes.data, row)


threading.Thread(target=idle, daemon=True).start()
lookup(np.ones((1000, 64), np.float32), 5)
lookup(np.ones((1000, 64), np.float32), 1_000_000_000)
